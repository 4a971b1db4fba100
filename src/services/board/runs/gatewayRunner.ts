import { Clock, Effect, FiberMap, Option, Ref, Schedule } from "effect"
import { errorOf, type Failure } from "../../../contract/failure.ts"
import { failure } from "../../../contract/failures.ts"
import type { GatewayError } from "../../gateway/client/GatewayError.ts"
import type { ResponseEnd } from "../../gateway/feed/feedMessage.ts"
import type { LinkedGateway } from "../../gateway/registry/EveryGateway.ts"
import { optionalEntry } from "../../platform/optionalEntry.ts"
import type { BoardShape } from "../BoardShape.ts"
import { TaskNotFound } from "../boardErrors.ts"
import type { RunOrder } from "../boardEvents.ts"
import type { RunDetails, RunOutcome } from "../tasks/taskRules.ts"
import type { ApprovalOutcome, ApprovalOutcomes } from "./commandApprovals.ts"
import { gatewayRuns } from "./gatewayRuns.ts"
import { runFailure, TIMED_OUT } from "./runFailure.ts"
import { runPrompt } from "./runPrompt.ts"
import type { RunVerdict } from "./runVerdict.ts"

/** A run is polled every 5 seconds for up to 30 minutes. */
const POLL = Schedule.spaced("5 seconds")
const RUN_LIMIT_MS = 30 * 60 * 1000
const ABANDONED = failure("RUN_CONSOLE_GONE")
/** After this long, there's nothing left to stop. */
const STOP_LIMIT = "30 minutes"

/** What was found out about a run, with the session it ran in and what its card says about commands. */
interface Found {
  readonly verdict: RunVerdict
  readonly sessionId: string | undefined
  readonly notes: ReadonlyArray<Failure>
}

/** A verdict that ends the run. */
interface Ending extends Found {
  readonly verdict: Exclude<RunVerdict, { readonly type: "running" }>
}

const NOTHING_MORE = { sessionId: undefined, notes: [] }

const isEnding = (found: Found): found is Ending => found.verdict.type !== "running"

/** Why the last poll of a run failed; empty after one that did not. */
type LastFailure = Ref.Ref<GatewayError | undefined>

const mayHaveArrived = (error: GatewayError): boolean => error.reason === "unreachable" || error.reason === "timeout"

/** Retries while the store can't be reached. */
const again = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) =>
  Effect.retry(effect, { schedule: POLL, while: ({ _tag }) => _tag === "StoreError" })

const outcomeOf = (verdict: Ending["verdict"]): RunOutcome =>
  verdict.type === "error" ? { ...verdict, stop: false } : verdict

const failedWith = (error: GatewayError, stop: boolean): RunOutcome => ({ type: "error", ...errorOf(error), stop })

/** Executes the runs of one gateway, each in a fiber of its own that ends with the scope. */
export const makeGatewayRunner = Effect.fnUntraced(function* (
  board: Pick<BoardShape, "get" | "comments" | "results" | "finish" | "runs" | "stopped" | "leases">,
  { activity, client, feed }: LinkedGateway,
  /** Whether the message of a run is still on its way to the gateway. */
  isOnItsWay: (runId: string) => boolean
) {
  const calls = gatewayRuns(client, activity)
  const runs = yield* FiberMap.make<string>()
  const stops = yield* FiberMap.make<string>()
  const { leases } = board
  type Events = Effect.Success<typeof feed.events>

  /** Keeps trying to save an outcome, even if the disk is full. */
  const finish = (order: RunOrder, outcome: RunOutcome, about: RunDetails = {}) =>
    board.finish(order, outcome, about).pipe(Effect.retry(POLL), Effect.ignore)

  const found = (order: RunOrder, end: ResponseEnd, approvals: ApprovalOutcomes): Effect.Effect<Found> => {
    switch (end.state) {
      case "final":
        return calls.wholeAnswer(order, end, approvals)
      case "error":
        return Effect.succeed({
          verdict: { type: "error", ...errorOf(runFailure(end.errorMessage, end.errorDetail)) },
          ...NOTHING_MORE
        })
      case "aborted":
        return Effect.succeed({ verdict: { type: "aborted" }, ...NOTHING_MORE })
    }
  }

  /** Polls until the run is over; an unreachable gateway is polled again. `failed` holds the last poll's error. */
  const polled = (order: RunOrder, failed: LastFailure, approvals: ApprovalOutcomes): Effect.Effect<Ending> =>
    Effect.suspend(
      (): Effect.Effect<Found, GatewayError> =>
        isOnItsWay(order.runId)
          ? Effect.succeed({ verdict: { type: "running" }, ...NOTHING_MORE })
          : calls.poll(order, approvals)
    ).pipe(
      Effect.tap(() => Ref.set(failed, undefined)),
      Effect.tapError((error) => Ref.set(failed, error)),
      Effect.option,
      Effect.delay("5 seconds"),
      Effect.repeat({
        until: (found): found is Option.Some<Ending> => Option.isSome(found) && isEnding(found.value)
      }),
      Effect.map((found) => found.value)
    )

  /** Listens until the run is over; what isn't over with its event is polled, and events report what it waits for. */
  const listened = Effect.fnUntraced(function* (
    order: RunOrder,
    events: Events,
    approvals: Map<string, ApprovalOutcome>
  ) {
    for (;;) {
      const about = yield* found(order, yield* calls.awaitEnd(order, events, approvals), approvals)
      if (isEnding(about)) return about
    }
  })

  const watch = (order: RunOrder, events: Events, failed: LastFailure, note: Failure | undefined) =>
    Effect.suspend(() => {
      const approvals = new Map<string, ApprovalOutcome>()
      return Effect.raceFirst(listened(order, events, approvals), polled(order, failed, approvals))
    }).pipe(
      Effect.flatMap(({ verdict, sessionId, notes: about }) => {
        const notes = [...(note === undefined ? [] : [note]), ...about]
        return finish(order, outcomeOf(verdict), {
          ...optionalEntry("sessionId", sessionId),
          ...(notes.length === 0
            ? {}
            : {
                // One line for each sentence; a command may have several.
                note: notes.map(({ message }) => message.replaceAll("\n", " ")).join("\n"),
                noteWhy: notes.flatMap(({ why }) => why ?? [])
              })
        })
      })
    )

  const launch = Effect.fnUntraced(function* (order: RunOrder) {
    const task = yield* board.get(order.taskId).pipe(
      Effect.tapErrorTag("StoreError", ({ message }) =>
        Effect.logWarning(`Couldn't read the card of run ${order.sessionKey}: ${message}. Trying again.`)
      ),
      again
    )
    const note = yield* calls.prepare(order, task.title)
    // A console that was held up meanwhile may have lost the run to another one, or to a person.
    const isOurs = yield* leases === undefined ? Effect.succeed(true) : again(leases.holds(order))
    if (!isOurs) return yield* new TaskNotFound({ id: order.taskId })
    const comments = task.commentCount === undefined ? [] : yield* again(board.comments(order.taskId))
    const results = task.after.length === 0 ? [] : yield* again(board.results(task.after))
    yield* calls.send(order, runPrompt(task, comments, results)).pipe(Effect.retry({ times: 2, while: mayHaveArrived }))
    return note
  })

  /** After a restart, checks whether the prompt was sent; retries while the gateway is unreachable. */
  const recover = Effect.fnUntraced(function* (order: RunOrder) {
    const isKnown = yield* calls.isKnown(order).pipe(Effect.retry({ schedule: POLL, while: mayHaveArrived }))
    return isKnown ? undefined : yield* launch(order)
  })

  /** Continues a run from another gateway if this one knows its session; otherwise returns its card. */
  const adopt = Effect.fnUntraced(function* (order: RunOrder) {
    const isKnown = yield* calls.isKnown(order).pipe(Effect.retry({ schedule: POLL, while: mayHaveArrived }))
    // The gateway that started it may still be working on it.
    if (!isKnown) yield* finish(order, { type: "error", ...errorOf(ABANDONED), stop: true })
    else if (leases !== undefined) yield* again(leases.adopt(order))
    return undefined
  })

  const execute = (order: RunOrder, start: (order: RunOrder) => ReturnType<typeof launch>) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const left = Math.min(RUN_LIMIT_MS, Math.max(0, order.startedAt + RUN_LIMIT_MS - now))
      const events = yield* feed.events
      const failed = yield* Ref.make<GatewayError | undefined>(undefined)
      const done = yield* start(order).pipe(
        Effect.flatMap((note) => watch(order, events, failed, note)),
        Effect.catchTag("GatewayError", (error) => finish(order, failedWith(error, mayHaveArrived(error)))),
        Effect.timeoutOption(left)
      )
      if (Option.isSome(done)) return
      const why = (yield* Ref.get(failed)) ?? TIMED_OUT
      yield* finish(order, { type: "error", ...errorOf(why), stop: true })
    }).pipe(
      Effect.scoped,
      Effect.catchTags({
        // A deleted task has no run.
        TaskNotFound: () => Effect.void,
        StoreError: ({ message }) =>
          Effect.logError(`Run ${order.sessionKey} isn't watched until the next start: ${message}`)
      })
    )

  const stop = (order: Pick<RunOrder, "sessionKey" | "runId">) =>
    calls.stop(order).pipe(
      Effect.repeat({
        schedule: Schedule.spaced("2 seconds"),
        times: 1,
        until: (answer) => answer.aborted === true
      }),
      Effect.retry({ schedule: POLL, while: mayHaveArrived }),
      Effect.timeoutOption(STOP_LIMIT),
      Effect.catch((error) => Effect.logWarning(`Couldn't stop a run: ${error.message}`)),
      Effect.andThen(board.stopped(order.sessionKey)),
      // The list that it's from may be older than the end of the stop before; an unavailable store counts as owing it.
      Effect.when(
        board.runs("stopping").pipe(
          Effect.map((owed) => owed.some(({ sessionKey }) => sessionKey === order.sessionKey)),
          Effect.orElseSucceed(() => true)
        )
      ),
      Effect.ignore
    )

  const starts = { launch, recover, adopt }

  return {
    /** Runs an order in a fiber of its own, from the beginning or from its current state. */
    start: (order: RunOrder, start: keyof typeof starts) =>
      FiberMap.run(runs, order.sessionKey, execute(order, starts[start])),
    drop: (sessionKey: string) => FiberMap.remove(runs, sessionKey),
    /** Stops a run on the gateway that's over on the board. */
    stop: (order: RunOrder) => FiberMap.run(stops, order.sessionKey, stop(order), { onlyIfMissing: true }),
    agentFor: calls.agentFor,
    isConnected: Effect.map(client.status, ({ gateway }) => gateway === "ok")
  }
})
