import type { Answers } from "../../../../src/contract/answers/Answers.ts"
import type { EventData } from "../../../../src/contract/ConsoleEvent.ts"
import { fieldsOf, numberOf, recordOf, textOf } from "../common/decode.ts"
import { createObservable } from "../common/Observable.ts"
import type { ApiClient, ApiFailure, EventStream } from "../link/apiTypes.ts"
import type { KeyValueStorage } from "../link/Environment.ts"
import type { WatchedDrafts } from "./DraftStore.ts"
import { type DraftMark, draftMarks, isUnsaved, markOf } from "./draftMarks.ts"
import { type DraftNote, draftStep, noteOf, type ServerDraft } from "./draftRules.ts"

/** Words go to the server after a pause of this length, or after so long without one. */
const PAUSE = 1_000
const LONGEST = 3_000
/** Every other page that shows the session reads each of them. */
const APART = 2_500
/** Whoever wrote something so recently is still typing. */
const TYPING = 3_000
const AGAIN = 10_000
/** Characters that surely fit into a request that outlives its page: browsers allow 64 KiB. */
const OUTLIVES = 10_000

const readDraft = (body: unknown): ServerDraft | null => {
  const fields = recordOf<Answers["GET /api/drafts"]>(body)
  if (fields === null) return null
  const draft = fieldsOf<NonNullable<Answers["GET /api/drafts"]["draft"]>>(fields.draft)
  return { text: textOf(draft.text) ?? "", at: numberOf(fields.updatedAt), deviceId: textOf(draft.deviceId) }
}

const readTime = (body: unknown): number | null => numberOf(fieldsOf<Answers["PUT /api/drafts"]>(body).updatedAt)

/** The composer as far as its draft goes. */
export interface DraftField {
  /** Puts words into it. */
  readonly show: (text: string) => void
  /** What stands there now must stay and isn't a draft, as while an earlier message is edited. */
  readonly isHeld: () => boolean
}

interface DraftSyncOptions {
  readonly api: Pick<ApiClient, "request">
  readonly events: Pick<EventStream, "connected" | "on">
  readonly drafts: WatchedDrafts
  readonly storage: KeyValueStorage
  readonly sessionKey: string
  /** This page: its browser and, behind a dot, itself. */
  readonly deviceId: string
  readonly field: DraftField
  readonly now: () => number
}

/**
 * Keeps one session's draft the same on all devices: what is written here goes to the server, what is written elsewhere
 * comes from there. The browser's own copy is there at once and without a server, too.
 */
export class DraftSync {
  /** What happened with another device's words; null for nothing to tell. */
  readonly note = createObservable<DraftNote | null>(null)
  private readonly options: DraftSyncOptions
  private readonly marks: ReturnType<typeof draftMarks>
  private readonly stops: ReadonlyArray<() => void>
  private mark: DraftMark | null
  /** What stands in the composer was written here. */
  private isOwn = true
  private isShowing = false
  private isWorking = false
  private isOver = false
  /** The server's draft wasn't read since the connection came up. */
  private isBehind = true
  /** The server's time of the last change that was told. */
  private told = 0
  /** Counts the writes, and which of them was answered last. */
  private count = 0
  private answered = 0
  private typedAt = Number.NEGATIVE_INFINITY
  private wroteAt = Number.NEGATIVE_INFINITY
  /** When the first of the words that aren't saved was written, null for none. */
  private waitingSince: number | null = null
  /** Words that the server doesn't take. */
  private refused: string | null = null
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(options: DraftSyncOptions) {
    this.options = options
    const { drafts, events, sessionKey, storage } = options
    this.marks = draftMarks(storage)
    this.mark = this.marks.get(sessionKey)
    this.stops = [
      drafts.changed.subscribe(({ key }) => {
        if (key === sessionKey && !this.isShowing) this.changed()
      }),
      events.on("draft.changed", ({ data }) => {
        const change = fieldsOf<EventData["draft.changed"]>(data)
        if (change.sessionKey !== sessionKey) return
        this.told = Math.max(this.told, numberOf(change.updatedAt) ?? 0)
        void this.work()
      }),
      events.connected.subscribe((up) => {
        if (!up) return
        this.isBehind = true
        void this.work()
      })
    ]
    void this.work()
  }

  dispose(): void {
    this.flush()
    this.isOver = true
    clearTimeout(this.timer)
    for (const stop of this.stops) stop()
  }

  /** Saves at once what isn't saved, by a request that outlives the page if that is possible. */
  flush(): void {
    if (this.isOver || !this.isUnsaved() || this.options.field.isHeld()) return
    void this.write(this.text().length <= OUTLIVES)
  }

  /** Puts the other words of the note into the composer. */
  useOther(): void {
    const note = this.note.get()
    this.dismiss()
    if (note !== null) this.options.field.show(note.other)
  }

  dismiss(): void {
    this.note.set(null)
  }

  private text(): string {
    return this.options.drafts.get(this.options.sessionKey)
  }

  private isUnsaved(): boolean {
    const text = this.text()
    return text !== this.refused && isUnsaved(text, this.mark)
  }

  private changed(): void {
    const now = this.options.now()
    this.typedAt = now
    this.waitingSince ??= now
    this.isOwn = true
    if (this.text() === "") this.dismiss()
    void this.work()
  }

  /** When the words that aren't saved go to the server; an empty field goes at once, since it mostly was sent. */
  private due(): number {
    if (this.text() === "") return 0
    const since = this.waitingSince ?? 0
    return Math.max(Math.min(Math.max(this.typedAt, since) + PAUSE, since + LONGEST), this.wroteAt + APART)
  }

  /** Reads and writes what is to be read and written, one after the other, then waits for what is due later. */
  private async work(): Promise<void> {
    if (this.isWorking || this.isOver) return
    this.isWorking = true
    clearTimeout(this.timer)
    const pause = await this.step()
    this.isWorking = false
    if (pause !== null && !this.isOver) this.timer = setTimeout(() => this.work(), pause)
  }

  /** Returns the milliseconds until there's something to do again, null if nothing is known to be. */
  private async step(): Promise<number | null> {
    const { field, now } = this.options
    while (!this.isOver) {
      const isBehind = this.isBehind || this.told > (this.mark?.at ?? 0)
      if (!isBehind && !this.isUnsaved()) {
        this.waitingSince = null
        return null
      }
      if (field.isHeld()) return PAUSE
      this.waitingSince ??= now()
      const pause = isBehind ? 0 : this.due() - now()
      if (pause > 0) return pause
      const failure = await (isBehind ? this.read() : this.write(false))
      if (failure !== null) return this.pauseAfter(failure)
    }
    return null
  }

  /** Null where only a new connection helps. */
  private pauseAfter({ kind, retryAfterMs }: ApiFailure): number | null {
    if (kind === "unauthorized") return null
    return kind === "rate_limited" ? Math.max(retryAfterMs ?? 0, PAUSE) : AGAIN
  }

  private async read(): Promise<ApiFailure | null> {
    const { api, sessionKey } = this.options
    const { mark, told } = this
    const found = await api.request("GET", `/api/drafts?sessionKey=${encodeURIComponent(sessionKey)}`, readDraft)
    if (!found.ok) return found.error
    // What was written meanwhile may be newer than the answer.
    this.isBehind = this.mark !== mark
    if (this.told === told) this.told = 0
    if (!this.isOver && !this.isBehind) this.meet(found.value)
    return null
  }

  /** What the server has meets what stands in the composer. */
  private meet(server: ServerDraft): void {
    const { deviceId, field, now } = this.options
    // Another message is being edited since: what it puts aside meets the server's words afterwards.
    if (field.isHeld()) {
      this.isBehind = true
      return
    }
    const text = this.text()
    const isTyping = now() - this.typedAt < TYPING
    const step = draftStep({ text, mark: this.mark, isTyping }, server)
    this.setMark(server.at === null ? null : markOf(server.at, server.text))
    if (step === "same") return
    this.note.set(noteOf(step, { text, deviceId, isOwn: this.isOwn }, server, this.note.get()))
    if (step === "keep") {
      this.waitingSince ??= now()
      return
    }
    this.isOwn = server.text === ""
    this.waitingSince = null
    this.isShowing = true
    field.show(server.text)
    this.isShowing = false
  }

  private async write(keepalive: boolean): Promise<ApiFailure | null> {
    const { api, deviceId, now, sessionKey } = this.options
    const text = this.text()
    this.count += 1
    const { count } = this
    this.wroteAt = now()
    this.waitingSince = null
    const body = { sessionKey, text, deviceId, count }
    const done = await api.request("PUT", "/api/drafts", readTime, { body, keepalive })
    if (done.ok) {
      if (count > this.answered) {
        this.answered = count
        this.setMark(markOf(done.value, text))
      }
      return null
    }
    if (done.error.kind !== "invalid" && done.error.kind !== "too_large") return done.error
    this.refused = text
    return null
  }

  private setMark(mark: DraftMark | null): void {
    this.mark = mark
    this.marks.set(this.options.sessionKey, mark)
  }
}
