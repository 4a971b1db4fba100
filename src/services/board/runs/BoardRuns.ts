import { Clock, Context, Effect, Layer, PubSub, Schedule } from "effect"
import { errorOf } from "../../../contract/failure.ts"
import { failure } from "../../../contract/failures.ts"
import { PRIMARY } from "../../../contract/qualifiedKey.ts"
import type { Task } from "../../../contract/schema/task.ts"
import type { ExecuteTask } from "../../../contract/schema/taskInputs.ts"
import { EveryGateway } from "../../gateway/registry/EveryGateway.ts"
import { UnknownGateway } from "../../gateway/registry/gatewayEntry.ts"
import { type BudgetPaused, type EverythingStopped, StartHolds } from "../../holds/StartHolds.ts"
import type { StoreError } from "../../platform/sqlite/Sqlite.ts"
import { Board } from "../Board.ts"
import type { InvalidTransition, StartBlocked, TaskNotFound } from "../boardErrors.ts"
import type { RunChange, RunOrder } from "../boardEvents.ts"
import { agentLabel, mayStart } from "../tasks/taskRules.ts"
import { makeGatewayRunner } from "./gatewayRunner.ts"
import { keepRuns } from "./RunLeases.ts"

const AGAIN = Schedule.spaced("5 seconds")
const REMOVED = failure("RUN_GATEWAY_REMOVED")

/** Why a card isn't started. */
export type StartRefused =
  | TaskNotFound
  | InvalidTransition
  | UnknownGateway
  | EverythingStopped
  | BudgetPaused
  | StartBlocked

export interface BoardRunsShape {
  /** Gives the task to an agent and returns at once; a task that's already running is returned unchanged. */
  readonly execute: (id: string, request: ExecuteTask) => Effect.Effect<Task, StartRefused | StoreError>
  /** The agent that would work on a card; `undefined` if this console doesn't have its gateway. */
  readonly agentOf: (card: Assigned) => Effect.Effect<string | undefined>
}

/** Whose work a card is. */
export interface Assigned {
  readonly gatewayId?: string | undefined
  readonly assignee?: string | undefined
}

const gatewayOf = ({ gatewayId = PRIMARY }: Pick<RunOrder, "gatewayId">): string => gatewayId

/** Runs the board's tasks, each on its gateway. */
export class BoardRuns extends Context.Service<BoardRuns, BoardRunsShape>()("agent-console/services/board/BoardRuns") {
  static readonly layer = Layer.effect(
    BoardRuns,
    Effect.gen(function* () {
      const board = yield* Board
      const every = yield* EveryGateway
      const scope = yield* Effect.scope
      const holds = yield* StartHolds
      const { leases } = board
      /** The runs of this console, by session. */
      const orders = new Map<string, RunOrder>()
      const ordersOf = (id: string) => [...orders.values()].filter((order) => gatewayOf(order) === id)

      const runners = yield* every.each(
        Effect.fnUntraced(function* (gateway) {
          const runner = yield* makeGatewayRunner(board, gateway, holds.isOnItsWay)
          // After another address or token, what runs is looked up over the new connection.
          for (const order of ordersOf(gateway.id)) yield* runner.start(order, "recover")
          return runner
        })
      )

      yield* holds.conditionsFrom(
        Effect.map(
          Effect.forEach(runners, ([id, { isConnected }]) =>
            Effect.map(isConnected, (isThere) => [id, isThere ? "there" : "away"] as const)
          ),
          (found) => {
            const states = new Map(found)
            return { gatewayOf: (id) => states.get(id) ?? "unknown" }
          }
        )
      )

      /** Ends a run whose gateway was removed; retries until that is saved. */
      const giveUp = (order: RunOrder) =>
        board
          .finish(order, { type: "error", ...errorOf(REMOVED), stop: false })
          .pipe(Effect.retry(AGAIN), Effect.ignore, Effect.forkIn(scope))

      const start = Effect.fnUntraced(function* (order: RunOrder, from: "launch" | "recover" | "adopt") {
        orders.set(order.sessionKey, order)
        const runner = runners.get(gatewayOf(order))
        yield* runner === undefined ? giveUp(order) : runner.start(order, from)
      })

      const drop = Effect.fnUntraced(function* (sessionKey: string) {
        const order = orders.get(sessionKey)
        orders.delete(sessionKey)
        if (order !== undefined) yield* runners.get(gatewayOf(order))?.drop(sessionKey) ?? Effect.void
      })

      const stopOwed = Effect.gen(function* () {
        for (const order of yield* board.runs("stopping"))
          yield* runners.get(gatewayOf(order))?.stop(order) ?? board.stopped(order.sessionKey)
      })

      yield* every.onRemoved((id) => Effect.forEach(ordersOf(id), giveUp, { discard: true }))

      const react = Effect.fnUntraced(function* (change: RunChange) {
        if (change.type === "ended") {
          yield* drop(change.sessionKey)
          if (change.stop) yield* Effect.ignore(stopOwed)
        } else if (change.type === "resumed" || change.order.owner === leases?.owner) {
          // The run's 30 minutes and the gateway's restarts are measured by this console's clock.
          const startedAt = leases === undefined ? change.order.startedAt : yield* Clock.currentTimeMillis
          yield* start({ ...change.order, startedAt }, change.type === "started" ? "launch" : "recover")
        }
      })

      const changes = yield* board.runChanges
      if (leases === undefined) {
        for (const order of yield* board.runs("active")) yield* start(order, "recover")
        yield* stopOwed
      } else {
        yield* keepRuns({
          leases,
          held: () => [...orders.values()],
          takeOver: ({ isFromElsewhere, order }) => start(order, isFromElsewhere ? "adopt" : "recover"),
          giveUp: ({ sessionKey }) => drop(sessionKey),
          stopOwed
        })
      }
      yield* PubSub.take(changes).pipe(Effect.flatMap(react), Effect.forever, Effect.forkScoped)

      const agentOf: BoardRunsShape["agentOf"] = ({ assignee, gatewayId = PRIMARY }) =>
        runners.get(gatewayId)?.agentFor(agentLabel(assignee)) ?? Effect.undefined

      return BoardRuns.of({
        agentOf,
        execute: Effect.fn("BoardRuns.execute")(function* (id, request) {
          const task = yield* board.get(id)
          const { gatewayId = PRIMARY } = task
          const agentId = yield* agentOf(task)
          // A card that is running, or can't run, is told before anything that would hold it.
          if (mayStart(task)) {
            if (agentId === undefined) return yield* new UnknownGateway({ id: gatewayId })
            const held = yield* holds.ofCard({ taskId: id, gatewayId, agentId })
            if (held !== undefined) return yield* held
          }
          return yield* board.begin(id, request, agentId ?? "main")
        })
      })
    })
  )
}
