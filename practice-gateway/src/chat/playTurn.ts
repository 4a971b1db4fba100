import { Effect } from "effect"
import type { DemoStep } from "../demo/steps.ts"
import type { AssistantMessage } from "../sessions/messages.ts"
import { modelOf, thinkingOf } from "../sessions/SessionStore.ts"
import type { FailReason } from "./failures.ts"
import { endQuietly, type RunState, storeQuestion, takeHanded } from "./runState.ts"
import type { Run, TurnRequest } from "./runTypes.ts"
import { spawnSubagent } from "./spawnSubagent.ts"
import type { Turn } from "./TurnEvents.ts"
import type { TurnWriter } from "./turnWriter.ts"
import { approveFirst, askPerson } from "./waitForPerson.ts"

/** How a turn ended that nobody stopped. */
export type TurnEnd =
  | { readonly type: "done"; readonly message: AssistantMessage }
  | { readonly type: "failed"; readonly reason: FailReason }
  | { readonly type: "overflow" }

/** Plays what the agent does in a turn; `start` starts a sub-agent's run. */
export const playTurn = Effect.fnUntraced(function* (
  state: RunState,
  start: (request: TurnRequest) => Run,
  request: TurnRequest,
  turn: Turn,
  writer: TurnWriter
): Effect.fn.Return<TurnEnd> {
  const { agent, events, generation, now } = state.options
  const { session } = request
  turn.startedAt = now()
  session.startedAt = turn.startedAt
  session.endedAt = undefined
  session.systemSent = true
  session.updatedAt = turn.startedAt
  const source = request.kind === "chat" || request.kind === "agent" ? undefined : request.kind
  const silent = source === "announce" && generation.hidesAnnouncements
  events.started(turn, silent ? undefined : storeQuestion(state, request, turn, source))
  if (request.text.length > generation.maxPrompt) return { type: "overflow" }
  events.modelStarted(turn)
  const steps = agent({
    text: request.text,
    images: request.images ?? [],
    model: modelOf(session).name,
    thinkingLevel: thinkingOf(session),
    ...(source === undefined ? {} : { source })
  })
  for (const step of steps) {
    if (step.type === "fail") return { type: "failed", reason: step.reason ?? "format" }
    yield* play(state, start, step, turn, writer)
    yield* readHanded(state, turn, writer)
  }
  return { type: "done", message: writer.storeAnswer("stop") }
})

/** What was handed to the turn meanwhile comes into the transcript, and the agent says that it read it. */
const readHanded = Effect.fnUntraced(function* (state: RunState, turn: Turn, writer: TurnWriter) {
  for (const queued of takeHanded(state, turn.session.key)) {
    const { request } = queued
    if (turn.shown !== "") writer.storeAnswer("toolUse")
    const user = storeQuestion(state, request, { requestedAt: turn.requestedAt, runId: request.runId })
    state.options.sessions.message(turn.session, user, request.runId)
    endQuietly(state, queued)
    yield* writer.say({ type: "text", text: `Noted while I work: “${request.text}”.` })
  }
})

const play = (
  { options }: RunState,
  start: (request: TurnRequest) => Run,
  step: Exclude<DemoStep, { type: "fail" }>,
  turn: Turn,
  writer: TurnWriter
): Effect.Effect<void> => {
  switch (step.type) {
    case "thinking":
      return writer.think(step.text)
    case "text":
    case "media":
      return writer.say(step)
    case "hang":
      return Effect.never
    case "spawn":
      return spawnSubagent({ options, start }, turn, writer, step)
    case "approve":
      return approveFirst(options, step, turn, writer)
    case "ask":
      return askPerson(options, step, turn, writer)
    case "tool": {
      const { args, details = {}, isError = false, meta, name, result, runMs, work = Effect.succeed(result) } = step
      const call = { id: `call_${options.newId().slice(0, 8)}`, name, args, meta, startedAt: options.now() }
      const outcome = Effect.map(work, (text) => ({ text, details, isError }))
      return writer.callTool(call, outcome, { runMs, tellsMeanwhile: true })
    }
  }
}
