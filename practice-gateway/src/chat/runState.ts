import { Deferred, Effect, type Fiber } from "effect"
import type { UserMessage } from "../sessions/messages.ts"
import { newTurn } from "./newTurn.ts"
import type { ChatRunsOptions, Run, TurnRequest } from "./runTypes.ts"
import type { Turn, TurnOutcome } from "./TurnEvents.ts"
import { NOTHING_QUEUED, type TurnQueue } from "./turnQueue.ts"
import type { TurnWriter } from "./turnWriter.ts"

/** A message behind a running turn, the run that takes it, and the id it was sent under. */
export interface Queued {
  readonly askedAs: string
  readonly request: TurnRequest
  readonly run: Run
}

/** A session's running turn. */
export interface Active {
  readonly run: Run
  readonly turn: Turn
  readonly writer: TurnWriter
  readonly fiber: Fiber.Fiber<void>
}

/** All that is known of a gateway's runs: by run id what is remembered, by session what runs and what stands behind. */
export interface RunState {
  readonly options: ChatRunsOptions
  readonly runs: Map<string, Run>
  readonly active: Map<string, Active>
  readonly queues: Map<string, TurnQueue<Queued>>
}

const MAX_RUNS = 500

export const queueOf = ({ queues }: RunState, key: string): TurnQueue<Queued> => queues.get(key) ?? NOTHING_QUEUED

export const keepQueue = ({ queues }: RunState, key: string, queue: TurnQueue<Queued>): void => {
  if (queue.handed.length + queue.waiting.length === 0) queues.delete(key)
  else queues.set(key, queue)
}

export const remember = ({ options, runs }: RunState, request: TurnRequest): Run => {
  const run: Run = {
    runId: request.runId,
    sessionKey: request.session.key,
    kind: request.kind,
    requestedAt: options.now(),
    done: Deferred.makeUnsafe(),
    turn: undefined,
    outcome: undefined
  }
  runs.set(run.runId, run)
  const oldest = runs.keys().next().value
  if (runs.size > MAX_RUNS && oldest !== undefined) runs.delete(oldest)
  return run
}

export const settle = ({ options }: RunState, run: Run, outcome: Omit<TurnOutcome, "endedAt">): void => {
  run.outcome = { ...outcome, endedAt: options.now() }
  Deferred.doneUnsafe(run.done, Effect.succeed(run.outcome))
}

/** Ends a run of its own of a message that another turn took, with nothing to show. */
export const endQuietly = (state: RunState, { request, run }: Queued): void => {
  state.options.events.queued(newTurn(request, state.options.now()))
  settle(state, run, { status: "ok", text: "" })
}

/** Drops what waits behind a session's turn, and returns the ids it was sent under. */
export const dropWaiting = (state: RunState, key: string): ReadonlyArray<string> => {
  const queue = queueOf(state, key)
  keepQueue(state, key, { ...queue, waiting: [] })
  for (const { run } of queue.waiting) settle(state, run, { status: "aborted", text: "", error: "aborted" })
  return queue.waiting.map(({ askedAs }) => askedAs)
}

/** Takes what was handed to a session's running turn. */
export const takeHanded = (state: RunState, key: string): ReadonlyArray<Queued> => {
  const queue = queueOf(state, key)
  keepQueue(state, key, { ...queue, handed: [] })
  return queue.handed
}

export const storeQuestion = (
  { options: { store } }: RunState,
  request: TurnRequest,
  turn: Pick<Turn, "requestedAt" | "runId">,
  source?: UserMessage["source"]
): UserMessage => {
  const user: UserMessage = {
    ...store.stamp(request.session),
    role: "user",
    text: request.text,
    images: request.images ?? [],
    timestamp: turn.requestedAt,
    runId: turn.runId,
    ...(source === undefined ? {} : { source })
  }
  store.append(request.session, user)
  return user
}
