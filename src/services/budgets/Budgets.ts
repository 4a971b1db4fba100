import { randomUUID } from "node:crypto"
import { Clock, Context, Effect, Layer, Queue, Result, Schedule, Semaphore } from "effect"
import { MAX_BUDGETS } from "../../contract/budget.ts"
import { failure } from "../../contract/failures.ts"
import { PRIMARY } from "../../contract/qualifiedKey.ts"
import type {
  Budget,
  BudgetDecision,
  BudgetList,
  BudgetPatch,
  BudgetScope,
  NewBudget,
  Stopped,
  StopRequest
} from "../../contract/schema/budget.ts"
import type { Task } from "../../contract/schema/task.ts"
import { Board } from "../board/Board.ts"
import type { BoardShape } from "../board/BoardShape.ts"
import type { TaskNotFound } from "../board/boardErrors.ts"
import { EveryGateway } from "../gateway/registry/EveryGateway.ts"
import { UnknownGateway } from "../gateway/registry/gatewayEntry.ts"
import { StartHolds } from "../holds/StartHolds.ts"
import { Inbox } from "../inbox/Inbox.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { EventBus } from "../platform/events/EventBus.ts"
import { orWarn } from "../platform/orWarn.ts"
import { ServerReady } from "../platform/ServerReady.ts"
import { Sqlite, type StoreError } from "../platform/sqlite/Sqlite.ts"
import { TokenUsage } from "../usage/TokenUsage.ts"
import { type BudgetBook, makeBudgetBook, stopShown } from "./BudgetBook.ts"
import {
  addBudget,
  changeBudget,
  decide,
  endStop,
  forgetGateway,
  forgetOld,
  inCurrentRun,
  isDue,
  passTime,
  removeBudget,
  stopEverything
} from "./budgetChanges.ts"
import {
  BudgetConflict,
  BudgetExists,
  BudgetNotFound,
  type BudgetNotPaused,
  InvalidBudget,
  TooManyBudgets
} from "./budgetErrors.ts"
import { budgetSource } from "./budgetSource.ts"
import { followCards } from "./followCards.ts"
import { makeGatewayMeter } from "./gatewayMeter.ts"
import { makeGoingOn } from "./goingOn.ts"
import { holdsConditions, holdsJudge } from "./holdsJudge.ts"
import { newBudget, type StoredBudget, withRunning } from "./StoredBudget.ts"
import { makeSessionStops } from "./sessionStops.ts"
import { notedSpending } from "./spendTable.ts"
import { usageBaseline } from "./usageBaseline.ts"
import { agentOf, coversStart, gatewayOfScope, scopeKey, type Work } from "./workScope.ts"

/** Everything is looked at again this often, whatever events said. */
const LOOK_EVERY = "10 seconds"
/** How long the answer to a stop waits for the gateways. */
const STOP_PATIENCE = "2500 millis"
/** A board that can't be reached doesn't keep a session from being stopped. */
const BOARD_PATIENCE = "1 second"
/** A limit of minutes is noticed within this time. */
const TIME_PASSES_EVERY = "1 second"
/** What was spent is told at most this often. */
const TELL_EVERY = "1 second"

const RUN_SCOPES: ReadonlySet<BudgetScope["kind"]> = new Set(["task", "job", "session"])

export interface BudgetsShape {
  /** Newest first, with the stop of everything. */
  readonly list: Effect.Effect<BudgetList>
  /** Adds a budget; what its period has spent already counts. */
  readonly create: (
    input: NewBudget
  ) => Effect.Effect<Budget, InvalidBudget | TaskNotFound | UnknownGateway | BudgetExists | TooManyBudgets | StoreError>
  /** Changes the version that the caller has seen. */
  readonly change: (
    id: string,
    patch: BudgetPatch
  ) => Effect.Effect<Budget, BudgetNotFound | BudgetConflict | StoreError>
  /** Decides how a paused budget goes on. */
  readonly resolve: (
    id: string,
    decision: BudgetDecision
  ) => Effect.Effect<Budget, BudgetNotFound | BudgetNotPaused | InvalidBudget | StoreError>
  /** The budgets for which a card's work counts. */
  readonly ofTask: (task: Pick<Task, "id" | "gatewayId" | "assignee" | "run">) => Effect.Effect<ReadonlyArray<Budget>>
  /** Removes a budget; what only it held goes on. */
  readonly remove: (id: string) => Effect.Effect<void, BudgetNotFound | StoreError>
  /** Stops every running turn and holds all work until `goOn`. */
  readonly stop: (request: StopRequest, by: string) => Effect.Effect<Stopped, StoreError>
  readonly goOn: Effect.Effect<void, StoreError>
}

/** What agents may spend: counts it, pauses their work at the limit, and lets it go on when a person says so. */
export class Budgets extends Context.Service<Budgets, BudgetsShape>()("agent-console/services/budgets/Budgets") {
  static readonly layer = Layer.effect(
    Budgets,
    Effect.gen(function* () {
      const inbox = yield* Inbox
      const board = yield* Board
      const outbox = yield* Outbox
      const usage = yield* TokenUsage
      const every = yield* EveryGateway
      const serverReady = yield* ServerReady
      const bus = yield* EventBus
      const book = yield* makeBudgetBook(yield* Sqlite, yield* inbox.items, bus)
      const gateways = yield* every.each(
        Effect.fnUntraced(function* (gateway) {
          const meter = yield* makeGatewayMeter(book, gateway)
          const stops = yield* makeSessionStops(book, meter, pauseRun(book, board))
          yield* gateway.feed.follow(meter.onEvent)
          return { meter, stops }
        })
      )
      yield* every.onRemoved((id) =>
        book.write(forgetGateway(id)).pipe(orWarn("Couldn't forget the sessions of a removed gateway"))
      )
      const holds = yield* StartHolds
      yield* holds.judgedBy(holdsJudge(book))
      yield* holds.conditionsFrom(holdsConditions(book))

      const found = (id: string) =>
        Effect.suspend(() => {
          const budget = book.pages().budgets.get(id)
          return budget === undefined ? Effect.fail(new BudgetNotFound({ id })) : Effect.succeed(budget)
        })
      const shown = (id: string) => Effect.flatMap(found(id), book.shown)

      /** The work that a scope names has to be there, as far as the console can know that. */
      const checkScope = Effect.fnUntraced(function* (scope: BudgetScope) {
        if (scope.kind === "task") book.called(scope.taskId, (yield* board.get(scope.taskId)).title)
        if ("gatewayId" in scope && scope.gatewayId !== undefined && !gateways.has(scope.gatewayId))
          return yield* new UnknownGateway({ id: scope.gatewayId })
      })

      const twinOf = ({ period, scope }: Pick<StoredBudget, "period" | "scope">) =>
        [...book.pages().budgets.values()].find(
          (other) => other.period === period && scopeKey(other.scope) === scopeKey(scope)
        )

      /** What a budget's period has spent before it was made. */
      const spentBefore = Effect.fnUntraced(function* ({ periodStart, scope }: StoredBudget, now: number) {
        const noted = yield* book.read((db) => notedSpending(db, scope))
        const meter = gateways.get(gatewayOfScope(scope))?.meter
        const sessionId =
          scope.kind === "session" ? yield* meter?.sessionId(scope.sessionKey) ?? Effect.undefined : undefined
        return yield* usageBaseline({ usage, scope, start: periodStart, now, noted, sessionId })
      })

      const create: BudgetsShape["create"] = Effect.fn("Budgets.create")(function* (input) {
        const now = yield* Clock.currentTimeMillis
        const budget = newBudget(randomUUID(), input, now)
        const { period, scope } = budget
        if (period === "run" && !RUN_SCOPES.has(scope.kind))
          return yield* new InvalidBudget(failure("RUN_NEEDS_WORK", { field: "period" }))
        yield* checkScope(scope)
        const before = period === "run" ? undefined : yield* spentBefore(budget, now)
        yield* book
          .write((entry): Result.Result<void, TooManyBudgets | Twin> => {
            const twin = twinOf(budget)
            if (twin !== undefined) return Result.fail({ _tag: "Twin", twin })
            if (entry.budgets.size >= MAX_BUDGETS) return Result.fail(new TooManyBudgets({ max: MAX_BUDGETS }))
            addBudget(entry, before === undefined ? inCurrentRun(entry, budget) : { ...budget, spent: before })
            return Result.void
          })
          .pipe(
            Effect.catchTag("Twin", ({ twin }) =>
              Effect.flatMap(book.shown(twin), (other) => Effect.fail(new BudgetExists({ budget: other })))
            )
          )
        return yield* book.shown(book.pages().budgets.get(budget.id) ?? budget)
      })

      const change: BudgetsShape["change"] = Effect.fn("Budgets.change")(function* (id, patch) {
        yield* book
          .write((entry): Result.Result<void, BudgetNotFound | Twin> => {
            const budget = entry.budgets.get(id)
            if (budget === undefined) return Result.fail(new BudgetNotFound({ id }))
            if (budget.version !== patch.version) return Result.fail({ _tag: "Twin", twin: budget })
            changeBudget(entry, budget, patch)
            return Result.void
          })
          .pipe(
            Effect.catchTag("Twin", ({ twin }) =>
              Effect.flatMap(book.shown(twin), (latest) => Effect.fail(new BudgetConflict({ latest })))
            )
          )
        return yield* shown(id)
      })

      const resolve: BudgetsShape["resolve"] = Effect.fn("Budgets.resolve")(function* (id, decision) {
        yield* book.write((entry): Result.Result<void, BudgetNotFound | BudgetNotPaused | InvalidBudget> => {
          const budget = entry.budgets.get(id)
          return budget === undefined ? Result.fail(new BudgetNotFound({ id })) : decide(entry, budget, decision)
        })
        return yield* shown(id)
      })

      const remove: BudgetsShape["remove"] = Effect.fn("Budgets.remove")((id) =>
        book.write((entry): Result.Result<void, BudgetNotFound> => {
          const budget = entry.budgets.get(id)
          if (budget === undefined) return Result.fail(new BudgetNotFound({ id }))
          removeBudget(entry, budget)
          return Result.void
        })
      )

      const stopping = yield* Semaphore.make(1)
      const stop: BudgetsShape["stop"] = Effect.fn("Budgets.stop")(function* ({ reason }, by) {
        book.takeIntents()
        const active = yield* book.write((entry) =>
          Result.succeed(stopEverything(entry, by, reason?.trim() || undefined))
        )
        yield* Effect.forEach(
          gateways.values(),
          ({ meter, stops }) =>
            // What began before the console was connected is in the gateway's list only.
            Effect.all([meter.refresh, stops.pass], { concurrency: "unbounded" }).pipe(
              Effect.andThen(stops.pass),
              Effect.timeoutOption(STOP_PATIENCE),
              Effect.ignore
            ),
          { concurrency: "unbounded" }
        )
        return { active: true as const, since: active.since, by: active.by, stopped: book.takeIntents() }
      }, stopping.withPermit)

      const goOn: BudgetsShape["goOn"] = Effect.suspend(() =>
        book.pages().stop === undefined
          ? Effect.void
          : book.write((entry) => {
              endStop(entry)
              return Result.void
            })
      ).pipe(Effect.withSpan("Budgets.goOn"))

      const look = Effect.gen(function* () {
        const [now, moment] = [yield* Clock.currentTimeMillis, yield* Clock.currentTimeNanos]
        const isAnyDue = [...book.pages().budgets.values()].some((budget) =>
          isDue(budget, withRunning(budget, book.running.msOf(budget, now, moment)), now)
        )
        if (isAnyDue)
          yield* book.write((entry) => {
            passTime(entry)
            return Result.void
          })
      }).pipe(orWarn("Couldn't look at the budgets"))

      yield* inbox.decidedBy(budgetSource(book, resolve))
      const goingOn = makeGoingOn(book, board, outbox)
      const changes = yield* Queue.sliding<void>(1)
      book.onChange(() => {
        Queue.offerUnsafe(changes, undefined)
        for (const { stops } of gateways.values()) stops.wake()
      })
      let holding = book.holding()
      /** Follows what the book says: held messages wait or are sent, and sessions go on. */
      const follow = Effect.gen(function* () {
        yield* goingOn
        const now = book.holding()
        if (now !== holding) yield* outbox.lookAgain
        holding = now
        yield* Effect.timeoutOption(Queue.take(changes), LOOK_EVERY)
      }).pipe(
        Effect.catch(({ message }) =>
          Effect.andThen(Effect.logWarning(`Couldn't follow a budget: ${message}`), Effect.sleep("1 second"))
        )
      )

      yield* followCards(book, board, bus)
      yield* book.settleOrphans.pipe(orWarn("Couldn't end the items of pauses that are over"))
      yield* Effect.forkScoped(Effect.andThen(serverReady.wait, Effect.forever(follow)))
      yield* Effect.forkScoped(
        Effect.repeat(book.write(forgetOld).pipe(orWarn("Couldn't forget old spending")), Schedule.spaced("6 hours"))
      )
      yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced(TIME_PASSES_EVERY)))
      yield* Effect.forkScoped(Effect.repeat(Effect.sync(book.timePasses), Schedule.spaced(LOOK_EVERY)))
      yield* Effect.forkScoped(Effect.repeat(book.tellSpent, Schedule.spaced(TELL_EVERY)))

      return Budgets.of({
        list: Effect.gen(function* () {
          const { budgets, stop: active } = book.pages()
          const all = yield* Effect.forEach([...budgets.values()].toReversed(), book.shown)
          return { budgets: all, stop: stopShown(active) }
        }),
        ofTask: ({ assignee, gatewayId = PRIMARY, id, run }) => {
          const agentId = agentOf(run?.sessionKey ?? "") ?? assignee?.replace(/^agent:/, "") ?? "main"
          const card = { taskId: id, gatewayId, agentId }
          return Effect.forEach(
            [...book.pages().budgets.values()].filter(({ scope }) => coversStart(scope, card)),
            book.shown
          )
        },
        create,
        change,
        resolve,
        remove,
        stop,
        goOn
      })
    })
  )
}

/** Lets the board show that a card's run is paused, before its session is stopped. */
const pauseRun =
  (book: BudgetBook, board: BoardShape) =>
  (work: Work): Effect.Effect<void> =>
    Effect.suspend(() => {
      const holder = book.holderOf(work)
      if (work.taskId === undefined || holder === undefined) return Effect.void
      const paused =
        "stop" in holder
          ? { stop: true as const, at: holder.stop.since }
          : { budgetId: holder.budget.id, at: holder.budget.pausedAt ?? holder.budget.createdAt }
      return board
        .pauseRun(work.taskId, work.rootKey, paused)
        .pipe(Effect.timeout(BOARD_PATIENCE), orWarn("Couldn't show on the board that a run is paused"))
    })

/** Another budget than the change was meant for; it's shown when the change is over. */
interface Twin {
  readonly _tag: "Twin"
  readonly twin: StoredBudget
}
