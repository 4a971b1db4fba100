import { type Fields, fieldsOf, numberOf, textOf } from "../../../contract/looseFields.ts"
import { noteOf } from "../history/gatewayNotes.ts"
import { runErrorOf } from "../history/runError.ts"
import { contentText } from "../history/toolText.ts"
import { publish, publishSoon, withActivity } from "./activity.ts"
import { type Conversation, isRunning, timer } from "./Conversation.ts"
import { applyAgent, growText } from "./liveTurn.ts"
import { readSoon, SOON, startAnew } from "./reading.ts"
import { append, type Entry, ownEntry, withDelivery } from "./timeline.ts"
import { during, finish, withLive } from "./turnLife.ts"
import { closed, type Run, runOf, unsettled, withRun } from "./turns.ts"

/** The `chat` event follows the lifecycle's end at once; without it the turn ends anyway. */
const END_GRACE = 3_000

/** Reasons of `sessions.changed` after which part or all of the session is gone or another. */
const CUTS: ReadonlySet<unknown> = new Set(["reset", "delete", "rewind", "branch-switch"])

/** Handles a gateway event about this session. */
export function takeFrame(state: Conversation, event: string, payload: Fields): Conversation {
  if (event === "chat") return takeChat(state, payload)
  if (event === "agent" || event === "session.tool") return takeAgent(state, payload)
  if (event === "session.message")
    return isRunning(state) || unsettled(state.turns).length > 0
      ? takeQuestion(state, fieldsOf(payload.message))
      : readSoon(state, SOON)
  // A newer gateway adds a response's files to its history later, and only says that a message changed.
  if (event === "sessions.changed" && payload.phase === "message" && !isRunning(state)) return readSoon(state, SOON)
  if (event !== "sessions.changed" || !CUTS.has(payload.reason)) return state
  return readSoon({ ...startAnew(state), deleted: payload.reason === "delete" }, SOON)
}

/**
 * The question of a turn that started elsewhere. One gateway generation writes it into the history of a new session
 * no sooner than the response.
 */
function takeQuestion(state: Conversation, { role, content, timestamp, provenance }: Fields): Conversation {
  const text = textOf(content)
  if (role !== "user" || text === null || provenance !== undefined || noteOf({ role }, text) !== null) return state
  const questions = state.timeline.filter(({ item }) => item.kind === "user")
  const run = [...state.turns.active.values()].find(
    ({ id, count, startedAt }) => count === 0 && startedAt !== null && !questions.some(({ runId }) => runId === id)
  )
  const isShown = ({ item, source }: Entry) =>
    source === null && item.kind === "user" && item.text.trim() === text.trim()
  if (run === undefined || questions.some(isShown)) return state
  const { item, source, runId } = ownEntry(run.id, text, [], numberOf(timestamp) ?? state.now)
  return publish({ ...state, timeline: append(state.timeline, { item: { ...item, delivery: "sent" }, source, runId }) })
}

function takeChat(state: Conversation, payload: Fields): Conversation {
  const id = textOf(payload.runId)
  if (id === null || state.turns.over.has(id)) return state
  const content = fieldsOf(payload.message)
  const text = contentText(content.content)
  const at = numberOf(content.timestamp)
  switch (payload.state) {
    case "final":
      if (text === "" && isQueued(state, id)) return queue(state, id)
      return finish(state, id, { outcome: "done", failure: null, at }, text)
    case "aborted":
      return finish(state, id, { outcome: "aborted", failure: null, at }, text)
    case "error": {
      const failure = runErrorOf(textOf(payload.errorMessage), fieldsOf(payload.errorDetail))
      return finish(state, id, { outcome: "error", failure, at }, text)
    }
  }
  return during(state, id, (seen, run) => {
    const next = readBy(seen, id)
    if (payload.state === "status") return publishSoon({ ...next, phase: textOf(payload.phase) })
    if (payload.state !== "delta" || run.segmented || text === "") return publishSoon(next)
    const live = growText({ timeline: next.timeline, run }, "assistant", text, null, at)
    return publishSoon(withActivity(withLive(next, live), "STREAMING"))
  })
}

/** A message sent while another turn is running ends its own run at once and silently: it waits for its own turn. */
function isQueued({ timeline, turns }: Conversation, id: string): boolean {
  const isOurs = timeline.some(({ item, runId, source }) => runId === id && item.kind === "user" && source === null)
  const others = [...turns.active.keys()].some((other) => other !== id)
  return isOurs && others && (runOf(turns, id)?.startedAt ?? null) === null
}

const queue = (state: Conversation, id: string): Conversation =>
  publish({
    ...state,
    turns: closed(state.turns, id),
    timeline: withDelivery(state.timeline, (_, { runId }) => runId === id, "queued")
  })

/** A turn that is heard of has read its question. */
function readBy(state: Conversation, id: string): Conversation {
  const found = state.timeline.find(({ item, runId }) => item.kind === "user" && item.isHanded === true && runId === id)
  if (found?.item.kind !== "user") return state
  const { isHanded: _, ...item } = found.item
  return { ...state, timeline: state.timeline.map((entry) => (entry === found ? { ...entry, item } : entry)) }
}

function takeAgent(state: Conversation, payload: Fields): Conversation {
  const id = textOf(payload.runId)
  if (id === null || payload.isHeartbeat === true) return state
  return during(state, id, (next, run) => publishSoon(takeStream(readBy(next, id), run, payload)))
}

function takeStream(state: Conversation, run: Run, payload: Fields): Conversation {
  const data = fieldsOf(payload.data)
  const { phase } = data
  if (payload.stream === "run_status") return { ...state, phase: textOf(phase) }
  if (payload.stream === "lifecycle") {
    const begun = { ...run, startedAt: run.startedAt ?? numberOf(data.startedAt) }
    if (phase !== "end" && phase !== "error") return { ...state, turns: withRun(state.turns, begun) }
    const outcome = data.aborted === true ? "aborted" : phase === "error" ? "error" : "done"
    const ending = {
      outcome,
      failure: outcome === "error" ? runErrorOf(textOf(data.error), fieldsOf(data.errorObservation)) : null,
      at: numberOf(data.endedAt)
    } as const
    return timer({ ...state, turns: withRun(state.turns, { ...begun, ending }) }, `grace ${run.id}`, END_GRACE)
  }
  const live = applyAgent({ timeline: state.timeline, run }, payload)
  const next = withLive(state, live)
  if (live.timeline === state.timeline) return next
  return withActivity(next, payload.stream === "assistant" ? "STREAMING" : "THINKING")
}
