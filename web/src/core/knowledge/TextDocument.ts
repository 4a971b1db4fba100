import { createObservable } from "../common/Observable.ts"
import type { ApiFailure } from "../link/apiTypes.ts"
import type { TextDrafts } from "./TextDrafts.ts"
import { isUnreadable, type StoredText, type TextSource } from "./TextSource.ts"

/**
 * `missing`: nothing is stored. `unreadable`: it exists, but not as text (too large, or binary). `failed`: it
 * couldn't be requested.
 */
export type TextStatus = "loading" | "ready" | "missing" | "unreadable" | "failed"

/** What others stored while this text was being edited; `theirs` is null if they deleted it. */
export interface TextConflict {
  readonly theirs: string | null
}

export interface TextState {
  readonly status: TextStatus
  /** Why it is `unreadable` or `failed`, or why the last save or check failed. Null while all is well. */
  readonly message: string | null
  /** There is unsaved text. */
  readonly dirty: boolean
  readonly saving: boolean
  readonly conflict: TextConflict | null
  /** A save ran into the conflict, so a person has to choose. */
  readonly asking: boolean
  /** Counts how often the text was replaced from outside the editor. */
  readonly replaced: number
}

/** How a conflict is resolved; `merged` is a text made of both. */
export type Resolution = "mine" | "theirs" | { readonly merged: string }

/** Minimum time between two checks caused by events, in milliseconds. */
const LOOK_EVERY = 2_000
/** How long after a key press unsaved text is stored as a draft, in milliseconds. */
const KEEP_AFTER = 300

const BEGIN: TextState = {
  status: "loading",
  message: null,
  dirty: false,
  saving: false,
  conflict: null,
  asking: false,
  replaced: 0
}

/**
 * A text that people edit while agents may change it too. What was typed is never overwritten: a change from outside
 * only replaces the text while nothing is unsaved, and is otherwise kept next to it as a conflict.
 */
export class TextDocument {
  readonly state = createObservable<TextState>(BEGIN)
  private source: TextSource
  private readonly drafts: TextDrafts
  private readonly now: () => number
  /** What the text was based on; its text is unknown for a draft from an earlier visit. */
  private base: { readonly text: string | null; readonly version: string } | null = null
  private current = ""
  private theirs: StoredText | null = null
  /** Reads the text from the editor; large texts are only assembled when needed. */
  private pending: (() => string) | null = null
  private keepTimer: ReturnType<typeof setTimeout> | undefined
  private lookTimer: ReturnType<typeof setTimeout> | undefined
  private lookedAt = Number.NEGATIVE_INFINITY
  private looking: Promise<void> | null = null
  private saves = 0

  constructor(source: TextSource, drafts: TextDrafts, now: () => number) {
    this.source = source
    this.drafts = drafts
    this.now = now
    // A draft from an earlier visit counts as unsaved before it is shown, so that nothing discards it.
    this.publish({ dirty: drafts.get(source.key) !== null })
  }

  get key(): string {
    return this.source.key
  }

  /** The version the text is based on; null if nothing is stored. */
  get version(): string | null {
    return this.base?.version ?? null
  }

  text(): string {
    this.takePending()
    return this.current
  }

  /** What others stored, while there is a conflict. */
  theirText(): string | null {
    return this.theirs?.text ?? null
  }

  /** Checks what is stored: at first, after a failure, and whenever it may have changed. */
  load(): Promise<void> {
    this.looking ??= this.look().finally(() => {
      this.looking = null
    })
    return this.looking
  }

  /** Something happened to what is stored; it is checked soon, but not too often. `version` avoids a needless check. */
  changedOutside(version: string | null): void {
    const isKnown = version !== null && (version === this.base?.version || version === this.theirs?.version)
    if (isKnown && !this.state.get().saving) return
    if (this.lookTimer !== undefined) return
    const wait = Math.max(100, this.lookedAt + LOOK_EVERY - this.now())
    this.lookTimer = setTimeout(() => this.lookSoon(), wait)
  }

  /** The editor's text changed. */
  edit(read: () => string): void {
    this.pending = read
    if (!this.state.get().dirty) this.publish({ dirty: true })
    clearTimeout(this.keepTimer)
    this.keepTimer = setTimeout(() => this.keep(), KEEP_AFTER)
  }

  /** Replaces the text as if it had been typed. */
  replace(text: string): void {
    this.show(text)
    this.keep()
  }

  /** Restores discarded text. */
  restore(text: string): void {
    this.begin()
    this.replace(text)
  }

  /** Stores unsaved text as a draft so that it survives the page. */
  keep(): void {
    clearTimeout(this.keepTimer)
    if (this.state.get().status !== "ready") return
    this.takePending()
    if (this.theirs !== null && this.current === this.theirs.text) {
      this.base = this.theirs
      this.theirs = null
      this.publish({ conflict: null, asking: false })
    }
    const dirty = this.current !== (this.base === null ? "" : this.base.text)
    if (dirty) this.drafts.set(this.key, { text: this.current, version: this.version })
    else this.drafts.remove(this.key)
    if (dirty !== this.state.get().dirty) this.publish({ dirty })
  }

  /** Starts a text that doesn't exist yet. */
  begin(): void {
    if (this.state.get().status === "missing") this.publish({ status: "ready", message: null })
  }

  /** Saves the text; true if it is saved. What was typed stays whatever happens. */
  async save(): Promise<boolean> {
    if (this.state.get().saving || this.state.get().status !== "ready") return false
    this.keep()
    if (!this.state.get().dirty && this.base !== null) return true
    const text = this.current
    const version = this.version
    this.publish({ saving: true, message: null })
    this.saves += 1
    const result = await this.source.write(text, version)
    if (result.ok) {
      this.base = { text, version: result.value }
      this.theirs = null
      this.publish({ saving: false, conflict: null, asking: false, status: "ready" })
      this.keep()
      return true
    }
    this.publish({ saving: false })
    const { kind, message } = result.error
    if (kind === "conflict" || (kind === "not_found" && version !== null)) {
      await this.looking
      await this.load()
      // Only the time had changed: the text is based on what is there.
      if (this.state.get().conflict === null && this.version !== version) return this.save()
      if (this.state.get().conflict !== null) this.publish({ asking: true })
      else this.publish({ message })
    } else this.publish({ message })
    return false
  }

  /** Shows the conflict dialog. */
  ask(): void {
    if (this.state.get().conflict !== null) this.publish({ asking: true })
  }

  /** Postpones the choice; nothing changes. */
  stopAsking(): void {
    this.publish({ asking: false })
  }

  /** Resolves a conflict; true if the outcome is saved. */
  async resolve(choice: Resolution): Promise<boolean> {
    if (this.state.get().conflict === null) return true
    const theirs = this.theirs
    this.theirs = null
    this.base = theirs
    this.publish({ conflict: null, asking: false })
    if (choice === "theirs") {
      this.show(theirs?.text ?? "")
      this.keep()
      if (theirs === null) this.publish({ status: "missing" })
      return true
    }
    if (choice !== "mine") this.show(choice.merged)
    return this.save()
  }

  /** Discards unsaved changes. */
  discard(): void {
    clearTimeout(this.keepTimer)
    this.pending = null
    if (this.state.get().conflict !== null) this.base = this.theirs
    this.theirs = null
    this.drafts.remove(this.key)
    this.show(this.base?.text ?? "")
    this.publish({ dirty: false, conflict: null, asking: false, message: null })
    if (this.base === null) this.publish({ status: "missing" })
  }

  /** The same text at another location, after it was renamed or moved. */
  relocate(source: TextSource): void {
    this.keep()
    const draft = this.drafts.get(this.key)
    this.drafts.remove(this.key)
    this.source = source
    if (draft !== null) this.drafts.set(this.key, draft)
  }

  dispose(): void {
    clearTimeout(this.keepTimer)
    clearTimeout(this.lookTimer)
  }

  private lookSoon(): void {
    this.lookTimer = undefined
    if (this.state.get().saving) this.changedOutside(null)
    else void this.load()
  }

  private async look(): Promise<void> {
    const isFirst = this.state.get().status === "loading" || this.state.get().status === "failed"
    if (isFirst) this.publish({ status: "loading", message: null })
    const saves = this.saves
    const result = await this.source.read()
    this.lookedAt = this.now()
    // A save that ran in the meantime knows better.
    if (this.state.get().saving || saves !== this.saves) this.changedOutside(null)
    else if (result.ok) this.meet(result.value)
    else this.fail(result.error, isFirst)
  }

  /** What is stored has been read. */
  private meet(stored: StoredText): void {
    this.takePending()
    const { status, dirty } = this.state.get()
    const draft = status === "ready" ? null : this.drafts.get(this.key)
    if (draft !== null && draft.text !== stored.text) {
      const isCurrent = draft.version === stored.version
      if (isCurrent) this.base = stored
      else {
        this.base = draft.version === null ? null : { text: null, version: draft.version }
        this.contest(stored)
      }
      this.show(draft.text)
      this.publish({ status: "ready", message: null, dirty: true })
    } else if (!dirty || draft !== null || this.current === stored.text) {
      this.base = stored
      if (this.current !== stored.text || status !== "ready") this.show(stored.text)
      this.agree()
      this.keep()
    } else if (stored.text === this.base?.text) {
      this.base = stored
      this.agree()
    } else this.contest(stored)
  }

  private agree(): void {
    this.theirs = null
    this.publish({ status: "ready", message: null, conflict: null, asking: false })
  }

  private contest(stored: StoredText): void {
    this.theirs = stored
    this.publish({ status: "ready", message: null, conflict: { theirs: stored.text } })
  }

  private fail(error: ApiFailure, isFirst: boolean): void {
    if (error.kind === "not_found") this.meetNothing()
    else if (isUnreadable(error) && !this.state.get().dirty) {
      this.publish({ status: "unreadable", message: error.message })
    } else if (isFirst) this.publish({ status: "failed", message: error.message })
    else if (error.retryAfterMs !== null) {
      this.lookTimer ??= setTimeout(() => this.lookSoon(), error.retryAfterMs)
    }
  }

  private meetNothing(): void {
    const { status, dirty } = this.state.get()
    this.theirs = null
    const draft = status === "ready" ? null : this.drafts.get(this.key)
    if (draft !== null) {
      this.base = draft.version === null ? null : { text: null, version: draft.version }
      this.show(draft.text)
      this.publish({ status: "ready", message: null, dirty: true })
    }
    if (this.base === null && (status === "ready" || draft !== null)) return
    if (dirty || draft !== null) this.publish({ conflict: { theirs: null } })
    else {
      this.base = null
      this.show("")
      this.publish({ status: "missing", message: null, conflict: null, asking: false })
    }
  }

  private takePending(): void {
    if (this.pending === null) return
    this.current = this.pending()
    this.pending = null
  }

  private show(text: string): void {
    this.pending = null
    this.current = text
    this.publish({ replaced: this.state.get().replaced + 1 })
  }

  private publish(change: Partial<TextState>): void {
    this.state.set({ ...this.state.get(), ...change })
  }
}
