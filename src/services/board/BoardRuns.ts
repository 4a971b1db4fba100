import { Clock, Context, Effect, FiberMap, Layer, Option, PubSub, Schedule } from "effect"
import { GatewayClient } from "../gateway/GatewayClient.ts"
import type { GatewayError } from "../gateway/GatewayError.ts"
import type { StoreError } from "../sqlite/Sqlite.ts"
import { Board } from "./Board.ts"
import type { InvalidTransition, TaskNotFound } from "./boardErrors.ts"
import type { RunChange } from "./boardEvents.ts"
import { gatewayRuns } from "./gatewayRuns.ts"
import { optionalEntry } from "./optionalEntry.ts"
import { runFailure, TIMED_OUT } from "./runFailure.ts"
import type { RunEnd } from "./runFrames.ts"
import { runPrompt } from "./runPrompt.ts"
import type { RunOrder } from "./runStore.ts"
import type { RunVerdict } from "./runVerdict.ts"
import type { Task } from "./task.ts"
import type { ExecuteTask } from "./taskInputs.ts"
import type { RunOutcome } from "./taskRules.ts"

/** SPEC "Limits": a run is polled every 5 seconds for up to 30 minutes. */
const POLL = Schedule.spaced("5 seconds")
const RUN_LIMIT_MS = 30 * 60 * 1000
/** A stop that the gateway could not be told within this time has nothing left to stop. */
const STOP_LIMIT = "30 minutes"

export interface BoardRunsShape {
  /** Hands the task to an agent and returns at once; a task that runs already is returned as it is. */
  readonly execute: (
    id: string,
    request: ExecuteTask
  ) => Effect.Effect<Task, TaskNotFound | InvalidTransition | StoreError>
}

/** A verdict that ends the run, with the session it ran in. */
interface Ending {
  readonly verdict: Exclude<RunVerdict, { readonly type: "running" }>
  readonly sessionId: string | undefined
}

const mayHaveArrived = (error: GatewayError): boolean => error.reason === "unreachable" || error.reason === "timeout"

const outcomeOf = (verdict: Ending["verdict"]): RunOutcome =>
  verdict.type === "error" ? { ...verdict, stop: false } : verdict

const failure = (error: GatewayError, stop: boolean): RunOutcome => ({ type: "error", error: error.message, stop })

/** Carries out the board's runs on the gateway, each in a fiber of its own that the layer owns (D42, D43). */
export class BoardRuns extends Context.Service<BoardRuns, BoardRunsShape>()("agent-console/services/board/BoardRuns") {
  static readonly layer = Layer.effect(
    BoardRuns,
    Effect.gen(function* () {
      const board = yield* Board
      const gateway = yield* GatewayClient
      const calls = gatewayRuns(gateway)
      const runs = yield* FiberMap.make<string>()
      const stops = yield* FiberMap.make<string>()

      /** Keeps an outcome even while the disk is full: tries until it is stored. */
      const finish = (order: RunOrder, outcome: RunOutcome, sessionId?: string) =>
        board.finish(order, outcome, optionalEntry("sessionId", sessionId)).pipe(Effect.retry(POLL), Effect.ignore)

      const ending = (order: RunOrder, end: RunEnd): Effect.Effect<Ending> => {
        switch (end.state) {
          case "final":
            return calls.wholeAnswer(order, end)
          case "error":
            return Effect.succeed({
              verdict: { type: "error", error: runFailure(end.errorMessage) },
              sessionId: undefined
            })
          case "aborted":
            return Effect.succeed({ verdict: { type: "aborted" }, sessionId: undefined })
        }
      }

      /** Polls until the run is over; a gateway that is away is asked again. */
      const polled = (order: RunOrder): Effect.Effect<Ending> =>
        calls.poll(order).pipe(
          Effect.option,
          Effect.delay("5 seconds"),
          Effect.repeat({
            until: (found): found is Option.Some<Ending> =>
              Option.isSome(found) && found.value.verdict.type !== "running"
          }),
          Effect.map((found) => found.value)
        )

      const watch = (order: RunOrder, events: Effect.Success<typeof gateway.events>) =>
        Effect.raceFirst(
          calls.awaitEnd(order, events).pipe(Effect.flatMap((end) => ending(order, end))),
          polled(order)
        ).pipe(Effect.flatMap(({ verdict, sessionId }) => finish(order, outcomeOf(verdict), sessionId)))

      const launch = Effect.fnUntraced(function* (order: RunOrder) {
        const task = yield* board.get(order.taskId)
        const note = yield* calls.prepare(order, task.title)
        if (note !== undefined) yield* board.describeRun(order, { note })
        yield* calls.send(order, runPrompt(task)).pipe(Effect.retry({ times: 2, while: mayHaveArrived }))
      })

      /** After a restart: was the prompt sent? The session's own messages tell; a gateway that is away is asked again. */
      const recover = Effect.fnUntraced(function* (order: RunOrder) {
        const { messages } = yield* calls
          .transcript(order)
          .pipe(Effect.retry({ schedule: POLL, while: mayHaveArrived }))
        if (messages.length === 0) yield* launch(order)
      })

      const carryOut = (order: RunOrder, start: (order: RunOrder) => ReturnType<typeof launch>) =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const left = Math.min(RUN_LIMIT_MS, Math.max(0, order.startedAt + RUN_LIMIT_MS - now))
          const events = yield* gateway.events
          const done = yield* start(order).pipe(
            Effect.andThen(watch(order, events)),
            Effect.catchTag("GatewayError", (error) => finish(order, failure(error, mayHaveArrived(error)))),
            Effect.timeoutOption(left)
          )
          if (Option.isNone(done)) yield* finish(order, { type: "error", error: TIMED_OUT, stop: true })
        }).pipe(
          Effect.scoped,
          // A task that vanished has no run; a store that cannot be read leaves the run for the next start.
          Effect.catchTag(["TaskNotFound", "StoreError"], () => Effect.void)
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
          Effect.catch((error) => Effect.logWarning(`a run could not be stopped: ${error.message}`)),
          Effect.andThen(board.stopped(order.sessionKey)),
          Effect.ignore
        )

      const stopOwed = Effect.gen(function* () {
        for (const order of yield* board.runs("stopping")) {
          yield* FiberMap.run(stops, order.sessionKey, stop(order), { onlyIfMissing: true })
        }
      })

      const react = (change: RunChange) => {
        if (change.type === "started") {
          return FiberMap.run(runs, change.order.sessionKey, carryOut(change.order, launch))
        }
        return FiberMap.remove(runs, change.sessionKey).pipe(
          Effect.andThen(change.stop ? stopOwed : Effect.void),
          Effect.ignore
        )
      }

      const changes = yield* board.runChanges
      for (const order of yield* board.runs("active")) {
        yield* FiberMap.run(runs, order.sessionKey, carryOut(order, recover))
      }
      yield* stopOwed
      yield* PubSub.take(changes).pipe(Effect.flatMap(react), Effect.forever, Effect.forkScoped)

      return BoardRuns.of({
        execute: Effect.fn("BoardRuns.execute")(function* (id, request) {
          const { assignee } = yield* board.get(id)
          const label = assignee?.startsWith("agent:") === true ? assignee.slice("agent:".length) : undefined
          const agentId = yield* calls.agentFor(label)
          return yield* board.begin(id, request, agentId)
        })
      })
    })
  )
}
