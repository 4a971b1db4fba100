import { hasAtMost } from "../../../../src/contract/characterCount.ts"
import { MAX_MESSAGE } from "../../../../src/contract/outbox.ts"
import type { DraftState, SavedDraft } from "../../../../src/contract/schema/session.ts"
import { createObservable, type Readable } from "../common/Observable.ts"
import type { ApiClient, ApiFailure, EventStream } from "../link/apiTypes.ts"
import type { KeyValueStorage } from "../link/Environment.ts"
import type { WatchedDrafts } from "./DraftStore.ts"
import {
  type DraftMark,
  type DraftNote,
  draftMarks,
  draftStep,
  isUnsaved,
  markOf,
  noteOf,
  type ServerDraft
} from "./draftRules.ts"

/** Words go to the server after a pause of this length, or after so long without one. */
const PAUSE = 1_000
const LONGEST = 3_000
/** Every other page that shows the session reads each of them. */
const APART = 2_500
/** Whoever wrote something so recently is still typing. */
const TYPING = 3_000
const AGAIN = 10_000

const readDraft = ({ draft, updatedAt }: DraftState): ServerDraft => ({
  text: draft?.text ?? "",
  at: updatedAt ?? null,
  deviceId: draft?.deviceId ?? null
})

const readTime = ({ updatedAt }: SavedDraft): number => updatedAt

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

export interface DraftSync {
  /** What happened with another device's words; null for nothing to tell. */
  readonly note: Readable<DraftNote | null>
  dispose(): void
  /** Saves at once what isn't saved, by a request that outlives the page if that is possible. */
  flush(): void
  /** Puts the other words of the note into the composer; the note then has those that stood there. */
  useOther(): void
  dismiss(): void
}

/**
 * Keeps one session's draft the same on all devices: what is written here goes to the server, what is written elsewhere
 * comes from there. The browser's own copy is there at once and without a server, too.
 */
export function createDraftSync({
  api,
  deviceId,
  drafts,
  events,
  field,
  now,
  sessionKey,
  storage
}: DraftSyncOptions): DraftSync {
  const note = createObservable<DraftNote | null>(null)
  /** What stands in the composer was written here. */
  let isOwn = true
  let isShowing = false
  let isWorking = false
  let isOver = false
  /** The server's draft wasn't read since the connection came up. */
  let isBehind = true
  /** The server's time of the last change that was received. */
  let receivedAt = 0
  /** Counts the writes, and which of them was answered last. */
  let lastWrite = 0
  let answered = 0
  let typedAt = Number.NEGATIVE_INFINITY
  let wroteAt = Number.NEGATIVE_INFINITY
  /** When the first of the words that aren't saved was written, null for none. */
  let waitingSince: number | null = null
  /** Words that the server doesn't take. */
  let refused: string | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const marks = draftMarks(storage)
  /** The browser has lost what it had, so it can't tell whether the server's words are newer. */
  let isForgotten = !drafts.knows(sessionKey)
  let mark: DraftMark | null = isForgotten ? null : marks.get(sessionKey)

  function flush(): void {
    if (isOver || !hasUnsaved() || field.isHeld()) return
    void write(true)
  }

  const dismiss = () => note.set(null)
  const written = (): string => drafts.get(sessionKey)

  function hasUnsaved(): boolean {
    const text = written()
    return hasAtMost(text, MAX_MESSAGE) && text !== refused && isUnsaved(text, mark)
  }

  function changed(): void {
    typedAt = now()
    waitingSince ??= typedAt
    isOwn = true
    if (written() === "") dismiss()
    void work()
  }

  /** When the words that aren't saved go to the server; an empty field goes at once, since it mostly was sent. */
  function due(): number {
    if (written() === "") return 0
    const since = waitingSince ?? 0
    return Math.max(Math.min(Math.max(typedAt, since) + PAUSE, since + LONGEST), wroteAt + APART)
  }

  /** Reads and writes what is to be read and written, one after the other, then waits for what is due later. */
  async function work(): Promise<void> {
    if (isWorking || isOver) return
    isWorking = true
    clearTimeout(timer)
    const pause = await step()
    isWorking = false
    if (pause !== null && !isOver) timer = setTimeout(() => work(), pause)
  }

  /** Returns the milliseconds until there's something to do again, null if nothing is known to be. */
  async function step(): Promise<number | null> {
    while (!isOver) {
      const mustRead = isBehind || receivedAt > (mark?.at ?? 0)
      if (!mustRead && !hasUnsaved()) {
        waitingSince = null
        return null
      }
      if (field.isHeld()) return PAUSE
      waitingSince ??= now()
      const pause = mustRead ? 0 : due() - now()
      if (pause > 0) return pause
      const failure = await (mustRead ? read() : write(false))
      if (failure !== null) return pauseAfter(failure)
    }
    return null
  }

  /** Null where only a new connection helps. */
  function pauseAfter({ kind, retryAfterMs }: ApiFailure): number | null {
    if (kind === "unauthorized") return null
    return kind === "rate_limited" ? Math.max(retryAfterMs ?? 0, PAUSE) : AGAIN
  }

  async function read(): Promise<ApiFailure | null> {
    const markBefore = mark
    const receivedBefore = receivedAt
    const found = await api.request("GET", `/api/drafts?sessionKey=${encodeURIComponent(sessionKey)}`, readDraft)
    if (!found.ok) return found.error
    // What was written meanwhile may be newer than the answer.
    isBehind = mark !== markBefore
    if (receivedAt === receivedBefore) receivedAt = 0
    if (!isOver && !isBehind) meet(found.value)
    return null
  }

  /** What the server has meets what stands in the composer. */
  function meet(server: ServerDraft): void {
    // Another message is being edited since: what it puts aside meets the server's words afterwards.
    if (field.isHeld()) {
      isBehind = true
      return
    }
    const text = written()
    const isTyping = now() - typedAt < TYPING
    const step = draftStep({ text, mark, isTyping }, server)
    setMark(server.at === null ? null : markOf(server.at, server.text))
    if (step === "same") {
      isForgotten = false
      return
    }
    note.set(noteOf(step, { text, deviceId, isOwn, isForgotten }, server, note.get()))
    isForgotten = false
    if (step === "keep") {
      waitingSince ??= now()
      return
    }
    isOwn = server.text === ""
    waitingSince = null
    isShowing = true
    field.show(server.text)
    isShowing = false
  }

  async function write(keepalive: boolean): Promise<ApiFailure | null> {
    const text = written()
    const count = ++lastWrite
    wroteAt = now()
    waitingSince = null
    const body = { sessionKey, text, deviceId, count }
    const done = await api.request("PUT", "/api/drafts", readTime, { body, keepalive })
    if (done.ok) {
      if (count > answered) {
        answered = count
        setMark(markOf(done.value, text))
      }
      return null
    }
    if (done.error.kind !== "invalid" && done.error.kind !== "too_large") return done.error
    refused = text
    return null
  }

  function setMark(next: DraftMark | null): void {
    mark = next
    marks.set(sessionKey, next)
  }

  const stops = [
    drafts.changed.subscribe(({ key }) => {
      if (key === sessionKey && !isShowing) changed()
    }),
    events.on("draft.changed", ({ data }) => {
      if (data.sessionKey !== sessionKey) return
      receivedAt = Math.max(receivedAt, data.updatedAt)
      void work()
    }),
    events.connected.subscribe((up) => {
      if (!up) return
      isBehind = true
      void work()
    })
  ]
  void work()

  return {
    note,
    dispose: () => {
      flush()
      isOver = true
      clearTimeout(timer)
      for (const stop of stops) stop()
    },
    flush,
    useOther: () => {
      const offered = note.get()
      const replaced = written()
      dismiss()
      if (offered === null) return
      field.show(offered.other)
      // The words that stood here can be had again in turn.
      if (replaced !== "" && replaced !== offered.other)
        note.set({ kind: offered.kind === "kept" ? "taken" : "kept", from: offered.from, other: replaced })
    },
    dismiss
  }
}
