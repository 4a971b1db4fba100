import { createObservable, type Readable } from "../common/Observable.ts"

import type { ApiFailure } from "../link/apiTypes.ts"
import type { TextDraft, TextDrafts } from "./TextDrafts.ts"
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

/** The texts that meet in a conflict. */
export interface TextSides {
  /** What the edited text is based on; null where that isn't known, or nothing was stored. */
  readonly base: string | null
  readonly mine: string
  /** What others stored; null if they deleted it. */
  readonly theirs: StoredText | null
}

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

export interface TextDocument {
  readonly state: Readable<TextState>
  readonly key: string
  /** The version the text is based on; null if nothing is stored. */
  readonly version: string | null
  text(): string
  /** What meets, while there is a conflict. */
  sides(): TextSides
  /** Checks what is stored: at first, after a failure, and whenever it may have changed. */
  load(): Promise<void>
  /** Something happened to what is stored; it is checked soon, but not too often. `version` avoids a needless check. */
  changedOutside(version: string | null): void
  /** The editor's text changed. */
  edit(read: () => string): void
  /** Replaces the text as if it had been typed. */
  replace(text: string): void
  /**
   * Remembers the text with what it is based on, so that discarding it can be taken back. What others have stored by
   * then is a conflict again.
   */
  remember(): () => void
  /** Stores unsaved text as a draft so that it survives the page. */
  keep(): void
  /** Starts a text that doesn't exist yet. */
  begin(): void
  /** Saves the text; true if it is saved. What was typed stays whatever happens. */
  save(): Promise<boolean>
  /** Shows the conflict dialog. */
  ask(): void
  /** Postpones the choice; nothing changes. */
  stopAsking(): void
  /**
   * Resolves a conflict; true if the outcome is saved. `seen` is what the person was shown of the others: what they
   * stored since then is asked about again.
   */
  resolve(choice: Resolution, seen?: StoredText | null): Promise<boolean>
  /** Discards unsaved changes. */
  discard(): void
  /** The same text at another location, after it was renamed or moved. */
  relocate(source: TextSource): void
  dispose(): void
}

/**
 * A text that people edit while agents may change it too. What was typed is never overwritten: a change from outside
 * only replaces the text while nothing is unsaved, and is otherwise kept next to it as a conflict.
 */
export function createTextDocument(origin: TextSource, drafts: TextDrafts, now: () => number): TextDocument {
  const state = createObservable<TextState>(BEGIN)
  /** What the text was based on; its text may be unknown for a draft from an earlier visit. */
  let base: { readonly text: string | null; readonly version: string } | null = null
  let current = ""
  let theirs: StoredText | null = null
  /** Reads the text from the editor; large texts are only assembled when needed. */
  let pending: (() => string) | null = null
  let keepTimer: ReturnType<typeof setTimeout> | undefined
  let lookTimer: ReturnType<typeof setTimeout> | undefined
  let lookedAt = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | null = null
  let saves = 0
  let source = origin

  function load(): Promise<void> {
    looking ??= look().finally(() => {
      looking = null
    })
    return looking
  }

  function changedOutside(version: string | null): void {
    const isKnown = version !== null && (version === base?.version || version === theirs?.version)
    if (isKnown && !state.get().saving) return
    if (lookTimer !== undefined) return
    const wait = Math.max(100, lookedAt + LOOK_EVERY - now())
    lookTimer = setTimeout(() => lookSoon(), wait)
  }

  function replace(text: string): void {
    show(text)
    keep()
  }

  function keep(): void {
    clearTimeout(keepTimer)
    if (state.get().status !== "ready") return
    takePending()
    if (theirs !== null && current === theirs.text) {
      base = theirs
      theirs = null
      publish({ conflict: null, asking: false })
    }
    const dirty = current !== (base === null ? "" : base.text)
    if (dirty) drafts.set(source.key, { text: current, version: based(), base: base?.text ?? null })
    else drafts.remove(source.key)
    if (dirty !== state.get().dirty) publish({ dirty })
  }

  function begin(): void {
    if (state.get().status === "missing") publish({ status: "ready", message: null })
  }

  async function save(): Promise<boolean> {
    if (state.get().saving || state.get().status !== "ready") return false
    keep()
    if (!state.get().dirty && base !== null) return true
    const text = current
    const before = based()
    publish({ saving: true, message: null })
    saves += 1
    const result = await source.write(text, before)
    if (result.ok) {
      base = { text, version: result.value }
      theirs = null
      publish({ saving: false, conflict: null, asking: false, status: "ready" })
      keep()
      return true
    }
    publish({ saving: false })
    const { kind, message } = result.error
    if (kind === "conflict" || (kind === "not_found" && before !== null)) {
      await looking
      await load()
      // Only the time had changed: the text is based on what is there.
      if (state.get().conflict === null && based() !== before) return save()
      if (state.get().conflict !== null) publish({ asking: true })
      else publish({ message })
    } else publish({ message })
    return false
  }

  const based = (): string | null => base?.version ?? null

  function lookSoon(): void {
    lookTimer = undefined
    if (state.get().saving) changedOutside(null)
    else void load()
  }

  async function look(): Promise<void> {
    const isFirst = state.get().status === "loading" || state.get().status === "failed"
    if (isFirst) publish({ status: "loading", message: null })
    const savesBefore = saves
    const result = await source.read()
    lookedAt = now()
    // A save that ran in the meantime knows better.
    if (state.get().saving || savesBefore !== saves) changedOutside(null)
    else if (result.ok) meet(result.value)
    else fail(result.error, isFirst)
  }

  /** What is stored has been read. */
  function meet(stored: StoredText): void {
    takePending()
    const { status, dirty } = state.get()
    const draft = status === "ready" ? null : drafts.get(source.key)
    if (draft !== null && draft.text !== stored.text) {
      const isCurrent = draft.version === stored.version || draft.base === stored.text
      if (isCurrent) base = stored
      else {
        base = baseOf(draft)
        contest(stored)
      }
      show(draft.text)
      publish({ status: "ready", message: null, dirty: true })
    } else if (!dirty || draft !== null || current === stored.text) {
      base = stored
      if (current !== stored.text || status !== "ready") show(stored.text)
      agree()
      keep()
    } else if (stored.text === base?.text) {
      base = stored
      agree()
    } else contest(stored)
  }

  function baseOf({ base: text, version }: TextDraft): typeof base {
    return version === null ? null : { text, version }
  }

  function agree(): void {
    theirs = null
    publish({ status: "ready", message: null, conflict: null, asking: false })
  }

  function contest(stored: StoredText): void {
    theirs = stored
    publish({ status: "ready", message: null, conflict: { theirs: stored.text } })
  }

  function fail(error: ApiFailure, isFirst: boolean): void {
    if (error.kind === "not_found") meetNothing()
    else if (isUnreadable(error) && !state.get().dirty) {
      publish({ status: "unreadable", message: error.message })
    } else if (isFirst) publish({ status: "failed", message: error.message })
    else if (error.retryAfterMs !== null) {
      lookTimer ??= setTimeout(() => lookSoon(), error.retryAfterMs)
    }
  }

  function meetNothing(): void {
    const { status, dirty } = state.get()
    theirs = null
    const draft = status === "ready" ? null : drafts.get(source.key)
    if (draft !== null) {
      base = baseOf(draft)
      show(draft.text)
      publish({ status: "ready", message: null, dirty: true })
    }
    if (base === null && (status === "ready" || draft !== null)) return
    if (dirty || draft !== null) publish({ conflict: { theirs: null } })
    else {
      base = null
      show("")
      publish({ status: "missing", message: null, conflict: null, asking: false })
    }
  }

  function takePending(): void {
    if (pending === null) return
    current = pending()
    pending = null
  }

  function show(text: string): void {
    pending = null
    current = text
    publish({ replaced: state.get().replaced + 1 })
  }

  const publish = (change: Partial<TextState>) => state.set({ ...state.get(), ...change })

  // A draft from an earlier visit counts as unsaved before it is shown, so that nothing discards it.
  publish({ dirty: drafts.get(origin.key) !== null })

  return {
    state,
    get key() {
      return source.key
    },
    get version() {
      return based()
    },
    text: () => {
      takePending()
      return current
    },
    sides: () => {
      takePending()
      return { base: base?.text ?? null, mine: current, theirs }
    },
    load,
    changedOutside,
    edit: (read) => {
      pending = read
      if (!state.get().dirty) publish({ dirty: true })
      clearTimeout(keepTimer)
      keepTimer = setTimeout(() => keep(), KEEP_AFTER)
    },
    replace,
    remember: () => {
      takePending()
      const [text, made] = [current, base]
      return () => {
        const stored = theirs ?? base
        const isOther = stored?.version !== made?.version && stored?.text !== text
        begin()
        base = isOther ? made : stored
        show(text)
        if (isOther && stored === null) publish({ conflict: { theirs: null } })
        else if (isOther && stored !== null) contest({ text: stored.text ?? "", version: stored.version })
        keep()
      }
    },
    keep,
    begin,
    save,
    ask: () => {
      if (state.get().conflict !== null) publish({ asking: true })
    },
    stopAsking: () => publish({ asking: false }),
    resolve: async (choice, seen = theirs) => {
      if (state.get().conflict === null) return true
      const stored = choice === "theirs" ? theirs : seen
      const newer = theirs !== null && theirs.version !== stored?.version ? theirs : null
      theirs = null
      base = stored
      publish({ conflict: null, asking: false })
      if (newer !== null) {
        if (choice !== "mine" && choice !== "theirs") show(choice.merged)
        contest(newer)
        publish({ asking: true, dirty: true })
        keep()
        return false
      }
      if (choice === "theirs") {
        show(stored?.text ?? "")
        keep()
        if (stored === null) publish({ status: "missing" })
        return true
      }
      if (choice !== "mine") show(choice.merged)
      return save()
    },
    discard: () => {
      clearTimeout(keepTimer)
      pending = null
      if (state.get().conflict !== null) base = theirs
      theirs = null
      drafts.remove(source.key)
      show(base?.text ?? "")
      publish({ dirty: false, conflict: null, asking: false, message: null })
      if (base === null) publish({ status: "missing" })
    },
    relocate: (next) => {
      keep()
      const draft = drafts.get(source.key)
      drafts.remove(source.key)
      source = next
      if (draft !== null) drafts.set(source.key, draft)
    },
    dispose: () => {
      clearTimeout(keepTimer)
      clearTimeout(lookTimer)
    }
  }
}
