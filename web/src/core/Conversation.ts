import type { Activity, ChatState, TurnEnd } from "./chatTypes.ts"
import { type Fields, fieldsOf, numberOf, textOf } from "./decode.ts"
import { applyAgent, closeRun, type Entry, growText, type Run, waits } from "./liveTurn.ts"
import { Observable } from "./Observable.ts"
import { AFTER_FAILURE, NOT_READ, withDelivery } from "./outgoing.ts"
import { runErrorSentence } from "./runError.ts"
import { Turns } from "./Turns.ts"
import { contentText } from "./toolText.ts"

const DONE_FOR = 3_000
const PAINT_EVERY = 16
/** A turn without a word for this long is checked. */
const SILENCE = 60_000
/** The `chat` event follows the lifecycle's end at once; without it the turn ends all the same. */
const END_GRACE = 3_000
/** A turn known to run whose id is not known yet. */
const UNNAMED = "unnamed"

export interface ConversationHooks {
  /** A turn began that this page did not ask for: the history has its question. */
  readonly onForeignTurn: () => void
  /** A turn ended: the history has what to keep of it. */
  readonly onTurnOver: () => void
  readonly onSilence: () => void
}

/** What a session shows, and how the gateway's events change it. Reads and sends nothing itself. */
export class Conversation {
  readonly turns = new Turns()
  readonly state: Observable<ChatState>
  readonly endListeners = new Set<(turn: TurnEnd) => void>()
  /** Turns stopped by this page, which need no notification. */
  readonly stopped = new Set<string>()
  timeline: ReadonlyArray<Entry> = []
  status: ChatState["status"] = "loading"
  message: string | null = null
  aborting = false
  hasOlder = false
  loadingOlder = false
  /** Held messages outlast the end of a turn, however it ends: one of them is about to be sent in its place. */
  keepsHeld = false

  private activity: Activity = "IDLE"
  private phase: string | null = null
  private paintedAt = 0
  private paintTimer: ReturnType<typeof setTimeout> | undefined
  private idleTimer: ReturnType<typeof setTimeout> | undefined
  private silenceTimer: ReturnType<typeof setTimeout> | undefined
  private readonly graceTimers = new Map<string, ReturnType<typeof setTimeout>>()
  private readonly sessionKey: string
  private readonly now: () => number
  private readonly hooks: ConversationHooks

  constructor(sessionKey: string, now: () => number, hooks: ConversationHooks) {
    this.sessionKey = sessionKey
    this.now = now
    this.hooks = hooks
    this.state = new Observable(this.snapshot())
  }

  get isRunning(): boolean {
    return this.turns.active.size > 0
  }

  private snapshot(): ChatState {
    const { timeline, isRunning } = this
    return {
      sessionKey: this.sessionKey,
      status: this.status,
      message: this.message,
      items: timeline.map(({ item }) => item),
      activity: this.activity,
      running: isRunning,
      aborting: this.aborting && isRunning,
      queued: timeline.filter(({ item }) => waits(item)).length,
      phase: isRunning ? this.phase : null,
      hasOlder: this.hasOlder,
      loadingOlder: this.loadingOlder
    }
  }

  publish(): void {
    clearTimeout(this.paintTimer)
    this.paintTimer = undefined
    this.paintedAt = this.now()
    this.state.set(this.snapshot())
  }

  /** Deltas come faster than a screen can show: at most one state per frame. */
  private publishSoon(): void {
    const wait = PAINT_EVERY - (this.now() - this.paintedAt)
    if (wait <= 0) this.publish()
    else this.paintTimer ??= setTimeout(() => this.publish(), wait)
  }

  setActivity(next: Activity): void {
    clearTimeout(this.idleTimer)
    this.activity = next
    if (next !== "DONE") return
    this.idleTimer = setTimeout(() => {
      this.setActivity("IDLE")
      this.publish()
    }, DONE_FOR)
  }

  private watchSilence(): void {
    clearTimeout(this.silenceTimer)
    if (!this.isRunning) return
    this.silenceTimer = setTimeout(() => {
      this.hooks.onSilence()
      this.watchSilence()
    }, SILENCE)
  }

  /** The turn of a frame, begun when this is the first word of it; null when it is over. */
  turnOf(id: string): Run | null {
    const opened = this.turns.open(id)
    if (opened === null) return null
    if (opened.isNew) this.begin(id)
    this.watchSilence()
    return opened.run
  }

  /** A turn runs, but no frame of it was heard yet. */
  awaitTurn(): void {
    this.turns.open(UNNAMED)
    this.setActivity("THINKING")
    this.watchSilence()
  }

  private begin(id: string): void {
    this.turns.active.delete(UNNAMED)
    this.setActivity("THINKING")
    this.phase = null
    if (this.timeline.some((entry) => entry.runId === id && entry.item.kind === "user")) {
      this.timeline = withDelivery(this.timeline, (_, entry) => entry.runId === id, "sent")
      return
    }
    // Replies to queued messages come under a run id of their own: the first in the queue is next.
    const next = this.timeline.find(({ item }) => item.kind === "user" && item.delivery === "queued")
    if (next !== undefined) this.timeline = withDelivery(this.timeline, (item) => item === next.item, "sent")
    this.hooks.onForeignTurn()
  }

  /** Ends a turn once; what comes of it later is not taken any more. */
  finish(id: string, outcome: TurnEnd["outcome"], text: string, at: number | null, sentence = ""): void {
    const ofTurn = this.timeline.filter(({ runId }) => runId === id)
    const isQueued = ofTurn.some(({ item }) => item.kind === "user" && item.delivery === "queued")
    if (isQueued && (outcome !== "done" || text === "")) {
      this.turns.close(id)
      const why = outcome === "error" ? sentence : NOT_READ
      if (outcome !== "done")
        this.timeline = withDelivery(this.timeline, (_, entry) => entry.runId === id, "failed", why)
      this.publish()
      return
    }
    const asked = ofTurn.find(({ item }) => item.kind === "user")?.item
    const question = asked?.kind === "user" ? asked.text : null
    const run = this.turns.end(id, at)
    if (run === null) return
    this.turns.active.delete(UNNAMED)
    clearTimeout(this.graceTimers.get(id))
    this.graceTimers.delete(id)
    this.timeline = withDelivery(this.timeline, (_, entry) => entry.runId === id, "sent")
    const said = ofTurn.flatMap(({ item }) => (item.kind === "assistant" ? [item.text] : []))
    if (said.length === 0 && text !== "") this.timeline = growText(this.timeline, run, "assistant", text, null, at)
    this.timeline = closeRun(this.timeline, run, { outcome, message: sentence, at })
    if (outcome !== "done" && !this.keepsHeld) {
      const why = outcome === "error" ? AFTER_FAILURE : NOT_READ
      this.timeline = withDelivery(this.timeline, (item) => item.delivery === "held", "failed", why)
    }
    this.rest(outcome === "done" ? "DONE" : "IDLE")
    this.publish()
    if (!this.stopped.delete(id))
      for (const listener of [...this.endListeners])
        listener({ sessionKey: this.sessionKey, outcome, text: text || said.join("\n\n"), question })
    this.hooks.onTurnOver()
  }

  /** Ends a turn whose end was missed; the history has its outcome. */
  finishMissed(id: string): void {
    if (id === UNNAMED) {
      this.turns.active.delete(id)
    } else {
      const run = this.turns.end(id, null, this.turns.runs.get(id)?.heardAt)
      if (run !== null) this.timeline = closeRun(this.timeline, run, { outcome: "done", message: "", at: null })
    }
    this.rest("IDLE")
  }

  private rest(activity: Activity): void {
    this.watchSilence()
    if (this.isRunning) return
    this.aborting = false
    this.phase = null
    this.setActivity(activity)
  }

  onChat(payload: Fields): void {
    const id = textOf(payload.runId)
    if (id === null || this.turns.isOver(id)) return
    const content = fieldsOf(payload.message)
    const text = contentText(content.content)
    const at = numberOf(content.timestamp)
    if (payload.state === "final") {
      if (text === "" && this.wasQueued(id)) return
      this.finish(id, "done", text, at)
    } else if (payload.state === "aborted") {
      this.finish(id, "aborted", text, at)
    } else if (payload.state === "error") {
      this.finish(id, "error", text, at, runErrorSentence(textOf(payload.errorMessage)))
    } else {
      const run = this.turnOf(id)
      if (run === null) return
      if (payload.state === "status") this.phase = textOf(payload.phase)
      if (payload.state === "delta" && !run.segmented && text !== "") {
        this.timeline = growText(this.timeline, run, "assistant", text, null, at)
        this.setActivity("STREAMING")
      }
      this.publishSoon()
    }
  }

  /** A message sent while another turn runs ends its own run at once and silently: it waits for a turn of its own. */
  private wasQueued(id: string): boolean {
    const isOurs = this.timeline.some(
      ({ item, runId, source }) => runId === id && item.kind === "user" && source === null
    )
    const others = [...this.turns.active].some((other) => other !== id)
    if (!isOurs || !others || (this.turns.runs.get(id)?.startedAt ?? null) !== null) return false
    this.turns.close(id)
    this.timeline = withDelivery(this.timeline, (_, entry) => entry.runId === id, "queued")
    this.publish()
    return true
  }

  onAgent(payload: Fields): void {
    const id = textOf(payload.runId)
    if (id === null || payload.isHeartbeat === true) return
    const run = this.turnOf(id)
    if (run === null) return
    const data = fieldsOf(payload.data)
    if (payload.stream === "lifecycle") {
      run.startedAt ??= numberOf(data.startedAt)
      if (data.phase === "end" || data.phase === "error") this.endSoon(id, data)
    } else if (payload.stream === "run_status") {
      this.phase = textOf(data.phase)
    } else {
      const before = this.timeline
      this.timeline = applyAgent(before, run, payload)
      if (this.timeline !== before) this.setActivity(payload.stream === "assistant" ? "STREAMING" : "THINKING")
    }
    this.publishSoon()
  }

  private endSoon(id: string, data: Fields): void {
    const outcome = data.aborted === true ? "aborted" : data.phase === "error" ? "error" : "done"
    const end = () => this.finish(id, outcome, "", numberOf(data.endedAt), runErrorSentence(textOf(data.error)))
    clearTimeout(this.graceTimers.get(id))
    this.graceTimers.set(id, setTimeout(end, END_GRACE))
  }

  dispose(): void {
    for (const timer of [this.paintTimer, this.idleTimer, this.silenceTimer, ...this.graceTimers.values()])
      clearTimeout(timer)
    this.endListeners.clear()
  }
}
