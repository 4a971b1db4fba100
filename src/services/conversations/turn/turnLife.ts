import type { Failure } from "../../../contract/failure.ts"
import { conversationFailure } from "../../../contract/failures/conversation.ts"
import { type Fields, listOf } from "../../../contract/looseFields.ts"
import { awaitsFiles } from "../history/liveMedia.ts"
import { publish, watchSilence, withActivity } from "./activity.ts"
import { type Asked, type Conversation, isRunning, timer, todo } from "./Conversation.ts"
import type { ActionAnswer, Activity } from "./chatItems.ts"
import { closeRun, growText, type Live } from "./liveTurn.ts"
import { FILES_DELAY, read, readSoon, SOON } from "./reading.ts"
import { isComing, NOT_READ, RESTARTED, type Timeline, withDelivery } from "./timeline.ts"
import { closed, type Past, type Run, type RunEnd, withFrame, withoutRun, withRun } from "./turns.ts"

/** A turn known to be running, whose id isn't known yet. */
const UNNAMED = "unnamed"

/** Begins the id of what tells that a turn was cut off, whose own id nobody knows any more. */
export const CUT = "cut "

/** What a frame of a turn changes: the first one begins the turn, and none counts once it is over. */
export function during(
  state: Conversation,
  id: string,
  change: (state: Conversation, run: Run) => Conversation = (next) => next
): Conversation {
  const turns = withFrame(state.turns, id, state.now)
  const run = turns?.active.get(id)
  if (turns === null || run === undefined) return state
  const seen = { ...state, turns }
  return change(watchSilence(state.turns.active.has(id) ? seen : begin(seen, id)), run)
}

/** The running turn as it is now, and its changes on screen. */
export const withLive = (state: Conversation, { timeline, run }: Live): Conversation => ({
  ...state,
  timeline,
  turns: withRun(state.turns, run)
})

/** A turn is running, but no frame of it was heard yet. */
export function awaitTurn(state: Conversation): Conversation {
  const turns = withFrame(state.turns, UNNAMED, state.now) ?? state.turns
  return watchSilence(withActivity({ ...state, turns }, "THINKING"))
}

const asSent = (timeline: Timeline, id: string): Timeline =>
  withDelivery(timeline, (_, { runId }) => runId === id, "sent")

function begin(state: Conversation, id: string): Conversation {
  const { timeline } = state
  const turns = withoutRun(state.turns, UNNAMED)
  const next = withActivity({ ...state, turns, phase: null, knownIdle: false }, "THINKING")
  if (timeline.some(({ runId, item }) => runId === id && item.kind === "user"))
    return { ...next, timeline: asSent(timeline, id) }
  // Responses to queued messages have their own run id: the first in the queue is next.
  const first = timeline.find(({ item }) => item.kind === "user" && item.delivery === "queued")
  // The history has the question of a turn that this page didn't ask for.
  return readSoon({ ...next, timeline: withDelivery(timeline, (item) => item === first?.item, "sent") }, SOON)
}

const saidIn = (entries: Timeline): ReadonlyArray<string> =>
  entries.flatMap(({ item }) => (item.kind === "assistant" ? [item.text] : []))

/**
 * What a turn said: its parts as they're shown. The text of its end only counts where it goes on: a gateway generation
 * joins the parts with nothing between them, and loses a letter where they look alike.
 */
const wholeText = (shown: ReadonlyArray<string>, text: string): string => {
  const [first = "", ...others] = shown
  return others.length === 0 && text.startsWith(first) ? text : shown.join("\n\n")
}

/** Ends a turn once; anything later is ignored. */
export function finish(state: Conversation, id: string, end: RunEnd, text = ""): Conversation {
  const { outcome, failure, at } = end
  const ofTurn = state.timeline.filter(({ runId }) => runId === id)
  const asked = ofTurn.map(({ item }) => item).find((item) => item.kind === "user")
  if (asked?.delivery === "queued" && (outcome !== "done" || text === "")) {
    const why = outcome === "error" ? failure : NOT_READ
    const timeline =
      outcome === "done" ? state.timeline : withDelivery(state.timeline, (item) => item === asked, "failed", why)
    return publish({ ...state, timeline, turns: closed(state.turns, id) })
  }
  const turns = withFrame(state.turns, id, state.now)
  const run = turns?.active.get(id)
  if (turns === null || run === undefined) return state

  const said = saidIn(ofTurn)
  let live: Live = { timeline: asSent(state.timeline, id), run }
  if (said.length === 0 && text !== "") live = growText(live, "assistant", text, null, at)
  live = closeRun(live, end)
  const { timeline } = live
  const stopped = new Set(state.stopped)
  const isOwnStop = stopped.delete(id)
  const past = closed(withoutRun(turns, UNNAMED), id, { run: { ...live.run, endedAt: at }, standing: "unsettled" })
  let next = rest({ ...state, timeline, turns: past, stopped, settling: 0 }, outcome === "done" ? "DONE" : "IDLE")
  next = publish(run.ending === null ? next : timer(next, `grace ${id}`))
  const shown = timeline.filter(({ runId }) => runId === id)
  const turn = {
    runId: id,
    outcome,
    text: wholeText(saidIn(shown), text),
    question: asked?.kind === "user" ? { key: asked.key, text: asked.text } : null,
    last: shown.at(-1)?.item.key ?? null,
    isStopped: isOwnStop
  }
  // The history has what to keep of it.
  next = todo(next, { type: "turnEnd", turn })
  return (state.link?.protocol ?? 0) >= 4 && awaitsFiles(timeline) ? readSoon(next, FILES_DELAY) : read(next, false)
}

/** Ends a turn without a message from the gateway. */
function close(
  state: Conversation,
  id: string,
  end: RunEnd,
  past: Omit<Past, "run">,
  endedAt: number | null = null
): Conversation {
  const run = state.turns.active.get(id)
  if (id === UNNAMED || run === undefined) return rest({ ...state, turns: withoutRun(state.turns, id) }, "IDLE")
  const live = closeRun({ timeline: state.timeline, run }, end)
  const turns = closed(state.turns, id, { ...past, run: { ...live.run, endedAt } })
  return rest({ ...state, timeline: live.timeline, turns }, "IDLE")
}

/** Ends a turn whose end was missed: the history has its outcome, unless the gateway's shutdown cut it off. */
export function finishMissed(state: Conversation, run: Run, isCut: boolean): Conversation {
  if (isCut) return cut(state, run)
  return close(state, run.id, { outcome: "done", failure: null, at: null }, { standing: "unsettled" })
}

/** Ends a turn the gateway knows nothing about, unless more is heard of it. */
const letGo = (state: Conversation, id: string): Conversation =>
  close(state, id, { outcome: "aborted", failure: null, at: null }, { standing: "unsettled", mayReturn: true })

/** Ends a turn that ended with the gateway's process: what it said may only be on this screen. */
function cut(state: Conversation, run: Run): Conversation {
  const turns = withRun(state.turns, { ...run, lastMark: state.turns.mark })
  const end = { outcome: "error", failure: RESTARTED, at: null } as const
  // No turn's end in the history is this one's.
  return close({ ...state, turns }, run.id, end, { standing: "lasting" }, 0)
}

/** Ends the turns last heard of before the gateway's process started. */
export function cutOff(state: Conversation): Conversation {
  const startedAt = state.link?.startedAt ?? 0
  return [...state.turns.active.values()].filter(({ lastAt }) => lastAt < startedAt).reduce(cut, state)
}

/** Says that the last turn was cut off, unless its end is already on screen. */
export function noteCut(state: Conversation): Conversation {
  const last = state.timeline.findLast(({ item }) => !isComing(item))?.item
  if (last === undefined || last.kind === "error" || last.kind === "aborted") return state
  const turns = withFrame(state.turns, CUT + last.key, state.now)
  const run = turns?.active.get(CUT + last.key)
  return turns === null || run === undefined ? state : cut({ ...state, turns }, run)
}

function rest(state: Conversation, activity: Activity): Conversation {
  const next = watchSilence(state)
  return isRunning(next) ? next : withActivity({ ...next, aborting: false, phase: null }, activity)
}

type Stop = Omit<Extract<Asked, { of: "abort" }>, "of">

const answer = (state: Conversation, call: number, result: ActionAnswer): Conversation =>
  todo(state, { type: "result", call, result })

/** Stops the running turn. */
export function abort(state: Conversation, call: number): Conversation {
  if (!isRunning(state)) return answer(state, call, { ok: false, failure: conversationFailure("NOTHING_RUNNING") })
  const stopped = new Set([...state.stopped, ...state.turns.active.keys()])
  const next = publish({ ...state, aborting: true, stopped })
  const to = { of: "abort", call, askedAt: next.turns.mark } as const
  return todo(next, { type: "request", method: "chat.abort", params: { sessionKey: state.sessionKey }, to })
}

/** The gateway's response with the turns it stopped. */
export function aborted(state: Conversation, stop: Stop, response: Fields): Conversation {
  const ids = listOf(response.runIds).filter((id) => typeof id === "string")
  const known = { ...state, stopped: new Set([...state.stopped, ...ids]) }
  const ended = ids.reduce<Conversation>(
    (next, id) => finish(next, id, { outcome: "aborted", failure: null, at: null }),
    known
  )
  if (response.aborted !== true) {
    // What wasn't heard of since is over, whatever the gateway's list says.
    const silent = [...ended.turns.active].filter(([, { lastMark }]) => lastMark <= stop.askedAt)
    const left = silent.reduce((next, [id]) => letGo(next, id), { ...ended, knownIdle: ids.length === 0 })
    return notAborted(read(left, true), stop, conversationFailure("NOTHING_TO_STOP"))
  }
  return answer({ ...ended, stopped: new Set() }, stop.call, { ok: true })
}

export const notAborted = (state: Conversation, { call }: Stop, failure: Failure): Conversation =>
  answer(publish({ ...state, stopped: new Set(), aborting: false }), call, { ok: false, failure })
