import { Clock, Effect, FiberMap, Option, Ref, Schedule } from "effect"
import { errorOf, type Failure } from "../../../contract/failure.ts"
import { failure } from "../../../contract/failures.ts"
import type { GatewayError } from "../../gateway/client/GatewayError.ts"
import type { ResponseEnd } from "../../gateway/feed/feedMessage.ts"
import type { LinkedGateway } from "../../gateway/registry/EveryGateway.ts"
import { optionalEntry } from "../../platform/optionalEntry.ts"
import type { BoardShape } from "../Board.ts"
import { TaskNotFound } from "../boardErrors.ts"
import type { RunOrder } from "../boardEvents.ts"
import type { RunDetails, RunOutcome } from "../tasks/taskRules.ts"
import type { HeardApproval, HeardApprovals } from "./askedCommands.ts"
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

/** What was found out about a run, with the session it ran in and what the card says about commands that weren't run. */
interface Found {
  readonly verdict: RunVerdict
  readonly sessionId: string | undefined
  readonly notRun: ReadonlyArray<Failure>
}

/** A verdict that ends the run. */
interface Ending extends Found {
  readonly verdict: Exclude<RunVerdict, { readonly type: "running" }>
}

const NOTHING_MORE = { sessionId: undefined, notRun: [] }

const isEnding = (found: Found): found is Ending => found.verdict.type !== "running"

/** Why the last poll of a run failed; empty after one that did not. */
type LastFailure = Ref.Ref<GatewayError | undefined>

const mayHaveArrived = (error: GatewayError): boolean => error.reason === "unreachable" || error.reason === "timeout"

/** Asks again while the store can't be reached. */
const again = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) =>
  Effect.retry(effect, { schedule: POLL, while: ({ _tag }) => _tag === "StoreError" })

const outcomeOf = (verdict: Ending["verdict"]): RunOutcome =>
  verdict.type === "error" ? { ...verdict, stop: false } : verdict

const failedWith = (error: GatewayError, stop: boolean): RunOutcome => ({ type: "error", ...errorOf(error), stop })

/** Carries out the runs of one gateway, each in a fiber of its own that ends with the scope. */
export const runCarrier = Effect.fnUntraced(function* (
  board: Pick<BoardShape, "get" | "comments" | "finish" | "runs" | "stopped" | "leases">,
  { client, feed }: LinkedGateway
) {
  const calls = gatewayRuns(client)
  const runs = yield* FiberMap.make<string>()
  const stops = yield* FiberMap.make<string>()
  const { leases } = board
  type Events = Effect.Success<typeof feed.events>

  /** Keeps trying to save an outcome, even if the disk is full. */
  const finish = (order: RunOrder, outcome: RunOutcome, about: RunDetails = {}) =>
    board.finish(order, outcome, about).pipe(Effect.retry(POLL), Effect.ignore)

  const found = (order: RunOrder, end: ResponseEnd, heard: HeardApprovals): Effect.Effect<Found> => {
    switch (end.state) {
      case "final":
        return calls.wholeAnswer(order, end, heard)
      case "error":
        return Effect.succeed({
          verdict: { type: "error", ...errorOf(runFailure(end.errorMessage, end.errorDetail)) },
          ...NOTHING_MORE
        })
      case "aborted":
        return Effect.succeed({ verdict: { type: "aborted" }, ...NOTHING_MORE })
    }
  }

  /** Polls until the run is over; a gateway that is away is asked again. `failed` has why the last poll failed. */
  const polled = (order: RunOrder, failed: LastFailure, heard: HeardApprovals): Effect.Effect<Ending> =>
    Effect.suspend(() => calls.poll(order, heard)).pipe(
      Effect.tap(() => Ref.set(failed, undefined)),
      Effect.tapError((error) => Ref.set(failed, error)),
      Effect.option,
      Effect.delay("5 seconds"),
      Effect.repeat({
        until: (found): found is Option.Some<Ending> => Option.isSome(found) && isEnding(found.value)
      }),
      Effect.map((found) => found.value)
    )

  /** Listens until the run is over; what isn't over with its event is polled, and events tell what it waits for. */
  const listened = Effect.fnUntraced(function* (order: RunOrder, events: Events, heard: Map<string, HeardApproval>) {
    for (;;) {
      const about = yield* found(order, yield* calls.awaitEnd(order, events, heard), heard)
      if (isEnding(about)) return about
    }
  })

  const watch = (order: RunOrder, events: Events, failed: LastFailure, note: Failure | undefined) =>
    Effect.suspend(() => {
      const heard = new Map<string, HeardApproval>()
      return Effect.raceFirst(listened(order, events, heard), polled(order, failed, heard))
    }).pipe(
      Effect.flatMap(({ verdict, sessionId, notRun }) => {
        const notes = [...(note === undefined ? [] : [note]), ...notRun]
        return finish(order, outcomeOf(verdict), {
          ...optionalEntry("sessionId", sessionId),
          ...(notes.length === 0
            ? {}
            : {
                note: notes.map(({ message }) => message).join("\n"),
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
    yield* calls.send(order, runPrompt(task, comments)).pipe(Effect.retry({ times: 2, while: mayHaveArrived }))
    return note
  })

  /**
   * After a restart, checks whether the prompt was sent; retries while the gateway is away.
   */
  const recover = Effect.fnUntraced(function* (order: RunOrder) {
    const isKnown = yield* calls.isKnown(order).pipe(Effect.retry({ schedule: POLL, while: mayHaveArrived }))
    return isKnown ? undefined : yield* launch(order)
  })

  /** Carries on a run from another gateway if this one knows its session; else its card goes back. */
  const adopt = Effect.fnUntraced(function* (order: RunOrder) {
    const isKnown = yield* calls.isKnown(order).pipe(Effect.retry({ schedule: POLL, while: mayHaveArrived }))
    // The gateway that does know it may still be at work.
    if (!isKnown) yield* finish(order, { type: "error", ...errorOf(ABANDONED), stop: true })
    else if (leases !== undefined) yield* again(leases.adopt(order))
    return undefined
  })

  const carryOut = (order: RunOrder, start: (order: RunOrder) => ReturnType<typeof launch>) =>
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
      // The list that it's from may be older than the end of the stop before; a store that's away can't tell.
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
    /** Carries a run out in a fiber of its own, from the beginning or from wherever it is. */
    take: (order: RunOrder, start: keyof typeof starts) =>
      FiberMap.run(runs, order.sessionKey, carryOut(order, starts[start])),
    drop: (sessionKey: string) => FiberMap.remove(runs, sessionKey),
    /** Tells the gateway to stop a run that's over on the board. */
    stop: (order: RunOrder) => FiberMap.run(stops, order.sessionKey, stop(order), { onlyIfMissing: true }),
    agentFor: calls.agentFor
  }
})
