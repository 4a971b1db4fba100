import { Clock, Effect, PubSub, Queue, Schedule, type Scope } from "effect"
import { failureOf } from "../../contract/failure.ts"
import { failure } from "../../contract/failures.ts"
import type { KanbanChange } from "../../contract/schema/kanbanChange.ts"
import type { Proposal } from "../../contract/schema/proposal.ts"
import type { Task } from "../../contract/schema/task.ts"
import type { BoardShape } from "../board/BoardShape.ts"
import type { BoardRunsShape } from "../board/runs/BoardRuns.ts"
import type { EventBusShape } from "../platform/events/EventBus.ts"
import { retryWhileUnavailable, type SqlConnection, type StoreError } from "../platform/sqlite/Sqlite.ts"
import { failedDraft, failedRun, failureEnd, proposalDraft, proposalEnd, reviewDraft, reviewEnd } from "./boardItems.ts"
import { alreadySettled, type Ending, type InboxSource, type ItemStore } from "./ItemStore.ts"
import { InvalidDecision, UNKNOWN_ACTION } from "./inboxRules.ts"
import { openOfTask } from "./inboxTable.ts"

/** Older failures get no item, because items are deleted after this time, too. */
const OLD_MS = 30 * 24 * 60 * 60 * 1000
const AGAIN = { schedule: Schedule.spaced("5 seconds"), times: 12 } as const

export interface BoardSourceOptions {
  readonly board: BoardShape
  readonly runs: BoardRunsShape
  readonly bus: EventBusShape
  readonly store: ItemStore
  readonly gatewayId: string
  /** Delays the comparison of the whole board. */
  readonly serverReady: Effect.Effect<void>
}

/** Proposals, reviews and failed runs of the board. */
export const makeBoardSource = Effect.fnUntraced(function* ({
  board,
  runs,
  bus,
  store,
  gatewayId,
  serverReady
}: BoardSourceOptions): Effect.fn.Return<InboxSource, never, Scope.Scope> {
  const published = yield* bus.subscribe
  const changes = yield* Queue.unbounded<KanbanChange>()
  // The bus drops events for a slow subscriber.
  yield* PubSub.take(published).pipe(
    Effect.flatMap((event) => (event.event === "kanban.changed" ? Queue.offer(changes, event.data) : Effect.void)),
    Effect.forever,
    Effect.forkScoped
  )

  /** Updates the items of a card from its present state; `undefined` if it was deleted. */
  const syncTask = (db: SqlConnection, id: string, task: Task | undefined, now: number) => {
    const open = openOfTask(db, gatewayId, id)
    const reviews = open.filter(({ from }) => from.origin === "review")
    const ends = open.flatMap((stored) => {
      const end =
        stored.from.origin === "review"
          ? reviewEnd(task, now)
          : stored.from.origin === "run"
            ? failureEnd(task, stored.from.source, now)
            : undefined
      return end === undefined ? [] : store.settled(db, stored, () => end)
    })
    if (task === undefined) return ends
    const failed = failedRun(task)
    return [
      ...ends,
      ...(task.status === "review" && reviews.length === 0 ? store.opened(db, reviewDraft(gatewayId, task)) : []),
      ...(failed === undefined || (task.run?.endedAt ?? 0) < now - OLD_MS
        ? []
        : store.opened(db, failedDraft(gatewayId, task, failed)))
    ]
  }

  const titleOf = (proposal: Proposal) =>
    proposal.type === "create"
      ? Effect.undefined
      : Effect.map(Effect.option(board.get(proposal.payload.id)), (task) =>
          task._tag === "Some" ? task.value.title : undefined
        )

  const syncProposal = Effect.fnUntraced(function* (proposal: Proposal) {
    const now = yield* Clock.currentTimeMillis
    const end = proposalEnd(proposal, now)
    if (end === undefined) {
      const draft = proposalDraft(gatewayId, proposal, yield* titleOf(proposal))
      return yield* store.change((db) => store.opened(db, draft))
    }
    return yield* store.settle({ gatewayId, origin: "proposal", source: proposal.id }, () => end)
  })

  /** The versions of the cards at the last comparison; events of earlier ones may still arrive. */
  let compared = new Map<string, number>()

  /** Compares the inbox with the whole board, as after a start. */
  const compare = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const waiting = new Map((yield* board.waiting).map((task) => [task.id, task]))
    compared = new Map([...waiting].map(([id, { version }]) => [id, version]))
    const open = yield* store.open(gatewayId, ["review", "run", "proposal"])
    for (const { from, item } of open) {
      if (from.origin === "proposal" || item.taskId === undefined || waiting.has(item.taskId)) continue
      const { taskId } = item
      const task = yield* Effect.catchTag(board.get(taskId), "TaskNotFound", () => Effect.undefined)
      yield* store.change((db) => syncTask(db, taskId, task, now))
    }
    for (const task of waiting.values()) yield* store.change((db) => syncTask(db, task.id, task, now))
    const asked = new Set(open.filter(({ from }) => from.origin === "proposal").map(({ from }) => from.source))
    for (const proposal of yield* board.proposals(undefined))
      if (proposal.status === "pending" || asked.has(proposal.id)) yield* syncProposal(proposal)
  })

  /** Most changes of cards don't concern the inbox and needn't wait for the database's single writer. */
  const concerns = ({ id, task }: KanbanChange) =>
    task !== undefined && (task.status === "review" || failedRun(task) !== undefined)
      ? Effect.succeed(true)
      : Effect.map(store.openOfTask(gatewayId, id), (open) => open.length > 0)

  const onEvent = (change: KanbanChange) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const isLate = (change.version ?? Infinity) < (compared.get(change.id) ?? 0)
      if (change.kind === "task" && !isLate && (yield* concerns(change)))
        yield* store.change((db) => syncTask(db, change.id, change.task, now))
      if (change.proposal !== undefined) yield* syncProposal(change.proposal)
    })

  const stored = <A>(effect: Effect.Effect<A, StoreError>) =>
    effect.pipe(
      Effect.retry(AGAIN),
      Effect.retry(retryWhileUnavailable),
      Effect.asVoid,
      Effect.catch((error) => Effect.logWarning(`Couldn't store what waits for a person: ${error.message}`))
    )

  /** For a decision about an item that has ended on the board. */
  const overtaken = (ending: Ending) => Effect.fail(alreadySettled(ending))
  const unknown =
    (at: number): Ending =>
    () => ({ action: UNKNOWN_ACTION, at, by: "console" })

  const execute: InboxSource["execute"] = ({ from, item }, { action, text }) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const taskId = item.taskId ?? ""
      switch (`${from.origin} ${action}`) {
        case "proposal approve":
          return yield* board.approveProposal(from.source)
        case "proposal reject":
          return yield* board.rejectProposal(from.source, text === undefined ? {} : { reason: text })
        case "review approve":
          return yield* board.approve(taskId, text === undefined ? {} : { note: text })
        case "review send-back":
          return yield* board.reject(taskId, { note: text ?? "" })
        case "run retry": {
          const task = yield* board.get(taskId)
          if (failedRun(task) === from.source) return yield* runs.execute(taskId, {})
          return yield* overtaken((open) => failureEnd(task, from.source, now) ?? unknown(now)(open))
        }
        default:
          return
      }
    }).pipe(
      Effect.asVoid,
      Effect.catchTags({
        ProposalNotFound: () => Effect.flatMap(Clock.currentTimeMillis, (at) => overtaken(unknown(at))),
        AlreadyResolved: ({ proposal }) =>
          Effect.flatMap(Clock.currentTimeMillis, (at) =>
            overtaken((open) => proposalEnd(proposal, at) ?? unknown(at)(open))
          ),
        CycleFound: () => Effect.fail(new InvalidDecision(failure("CARDS_IN_A_CIRCLE", { field: "action" }))),
        InvalidLink: (refused) => Effect.fail(new InvalidDecision(failureOf(refused))),
        StartBlocked: () => Effect.fail(new InvalidDecision(failure("CARD_WAITS", { field: "action" }))),
        BudgetPaused: () => Effect.fail(new InvalidDecision(failure("HELD_BY_BUDGET", { field: "action" }))),
        EverythingStopped: () => Effect.fail(new InvalidDecision(failure("HELD_BY_STOP", { field: "action" }))),
        UnknownGateway: () => Effect.fail(new InvalidDecision(failure("CARD_GATEWAY_REMOVED", { field: "action" }))),
        InvalidTransition: () => Effect.flatMap(Clock.currentTimeMillis, (at) => overtaken(unknown(at))),
        TaskNotFound: () =>
          from.origin === "proposal"
            ? Effect.fail(new InvalidDecision(failure("PROPOSED_CARD_GONE", { field: "action" })))
            : Effect.flatMap(Clock.currentTimeMillis, (at) => overtaken(unknown(at)))
      })
    )

  yield* Effect.andThen(serverReady, stored(compare)).pipe(
    Effect.andThen(Effect.forever(Effect.flatMap(Queue.take(changes), (change) => stored(onEvent(change))))),
    Effect.forkScoped
  )

  return { origins: ["proposal", "review", "run"], execute, reload: () => compare }
})
