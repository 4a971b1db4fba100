import { Clock, Effect, PubSub, Queue, Schedule, type Scope } from "effect"
import { failure } from "../../contract/failures.ts"
import type { KanbanChange } from "../../contract/schema/kanbanChange.ts"
import type { Proposal } from "../../contract/schema/proposal.ts"
import type { Task } from "../../contract/schema/task.ts"
import type { BoardShape } from "../board/Board.ts"
import type { BoardRunsShape } from "../board/runs/BoardRuns.ts"
import type { EventBusShape } from "../platform/events/EventBus.ts"
import { type SqlConnection, type StoreError, storeAgain } from "../platform/sqlite/Sqlite.ts"
import { failedDraft, failedRun, failureEnd, proposalDraft, proposalEnd, reviewDraft, reviewEnd } from "./boardItems.ts"
import type { Ending, InboxLedger } from "./InboxLedger.ts"
import { type InboxDesk, settledAs } from "./inboxDesk.ts"
import { InvalidDecision } from "./inboxErrors.ts"
import { UNKNOWN_ACTION } from "./inboxRules.ts"
import { openOfTask } from "./inboxStore.ts"

/** A failure that nobody looked at for so long needs nobody any more; its item would be forgotten too. */
const OLD_MS = 30 * 24 * 60 * 60 * 1000
const AGAIN = { schedule: Schedule.spaced("5 seconds"), times: 12 } as const

interface BoardDeskOptions {
  readonly board: BoardShape
  readonly runs: BoardRunsShape
  readonly bus: EventBusShape
  readonly ledger: InboxLedger
  readonly gatewayId: string
  /** Comparing the whole board waits for it. */
  readonly answering: Effect.Effect<void>
}

/** Proposals, reviews and failed runs of the board. */
export const boardDesk = Effect.fnUntraced(function* ({
  board,
  runs,
  bus,
  ledger,
  gatewayId,
  answering
}: BoardDeskOptions): Effect.fn.Return<InboxDesk, never, Scope.Scope> {
  const published = yield* bus.subscribe
  const changes = yield* Queue.unbounded<KanbanChange>()
  // The bus forgets what a slow reader leaves there.
  yield* PubSub.take(published).pipe(
    Effect.flatMap((event) => (event.event === "kanban.changed" ? Queue.offer(changes, event.data) : Effect.void)),
    Effect.forever,
    Effect.forkScoped
  )

  /** Brings the items of a card to what the card says now; `undefined` for one that is gone. */
  const lookAt = (db: SqlConnection, id: string, task: Task | undefined, now: number) => {
    const open = openOfTask(db, gatewayId, id)
    const reviews = open.filter(({ from }) => from.origin === "review")
    const ends = open.flatMap((stored) => {
      const end =
        stored.from.origin === "review"
          ? reviewEnd(task, now)
          : stored.from.origin === "run"
            ? failureEnd(task, stored.from.source, now)
            : undefined
      return end === undefined ? [] : ledger.settled(db, stored, () => end)
    })
    if (task === undefined) return ends
    const failed = failedRun(task)
    return [
      ...ends,
      ...(task.status === "review" && reviews.length === 0 ? ledger.opened(db, reviewDraft(gatewayId, task)) : []),
      ...(failed === undefined || (task.run?.endedAt ?? 0) < now - OLD_MS
        ? []
        : ledger.opened(db, failedDraft(gatewayId, task, failed)))
    ]
  }

  const titleOf = (proposal: Proposal) =>
    proposal.type === "create"
      ? Effect.undefined
      : Effect.map(Effect.option(board.get(proposal.payload.id)), (task) =>
          task._tag === "Some" ? task.value.title : undefined
        )

  const lookAtProposal = Effect.fnUntraced(function* (proposal: Proposal) {
    const now = yield* Clock.currentTimeMillis
    const end = proposalEnd(proposal, now)
    if (end === undefined) {
      const draft = proposalDraft(gatewayId, proposal, yield* titleOf(proposal))
      return yield* ledger.change((db) => ledger.opened(db, draft))
    }
    return yield* ledger.settle({ gatewayId, origin: "proposal", source: proposal.id }, () => end)
  })

  /** The versions of the cards that were compared last: an earlier change may still be on its way here. */
  let compared = new Map<string, number>()

  /** Compares the inbox with the whole board, as after a start. */
  const compare = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const waiting = new Map((yield* board.waiting).map((task) => [task.id, task]))
    compared = new Map([...waiting].map(([id, { version }]) => [id, version]))
    const open = yield* ledger.open(gatewayId, ["review", "run", "proposal"])
    for (const { from, item } of open) {
      if (from.origin === "proposal" || item.taskId === undefined || waiting.has(item.taskId)) continue
      const { taskId } = item
      const task = yield* Effect.catchTag(board.get(taskId), "TaskNotFound", () => Effect.undefined)
      yield* ledger.change((db) => lookAt(db, taskId, task, now))
    }
    for (const task of waiting.values()) yield* ledger.change((db) => lookAt(db, task.id, task, now))
    const asked = new Set(open.filter(({ from }) => from.origin === "proposal").map(({ from }) => from.source))
    for (const proposal of yield* board.proposals(undefined))
      if (proposal.status === "pending" || asked.has(proposal.id)) yield* lookAtProposal(proposal)
  })

  /** Most changes of cards are none of the inbox's business, and shouldn't wait for the database's one writer. */
  const concerns = ({ id, task }: KanbanChange) =>
    task !== undefined && (task.status === "review" || failedRun(task) !== undefined)
      ? Effect.succeed(true)
      : Effect.map(ledger.openOfTask(gatewayId, id), (open) => open.length > 0)

  const hear = (change: KanbanChange) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const isLate = (change.version ?? Infinity) < (compared.get(change.id) ?? 0)
      if (change.kind === "task" && !isLate && (yield* concerns(change)))
        yield* ledger.change((db) => lookAt(db, change.id, change.task, now))
      if (change.proposal !== undefined) yield* lookAtProposal(change.proposal)
    })

  const stored = <A>(effect: Effect.Effect<A, StoreError>) =>
    effect.pipe(
      Effect.retry(AGAIN),
      Effect.retry(storeAgain),
      Effect.asVoid,
      Effect.catch((error) => Effect.logWarning(`Couldn't store what waits for a person: ${error.message}`))
    )

  /** How an item ended that the board says isn't waiting; `about` is what the board has of it now. */
  const overtaken = (ending: Ending) => Effect.fail(settledAs(ending))
  const unknown =
    (at: number): Ending =>
    () => ({ action: UNKNOWN_ACTION, at, by: "console" })

  const carryOut: InboxDesk["carryOut"] = ({ from, item }, { action, text }) =>
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
        UnknownGateway: () => Effect.fail(new InvalidDecision(failure("CARD_GATEWAY_REMOVED", { field: "action" }))),
        InvalidTransition: () => Effect.flatMap(Clock.currentTimeMillis, (at) => overtaken(unknown(at))),
        TaskNotFound: () =>
          from.origin === "proposal"
            ? Effect.fail(new InvalidDecision(failure("PROPOSED_CARD_GONE", { field: "action" })))
            : Effect.flatMap(Clock.currentTimeMillis, (at) => overtaken(unknown(at)))
      })
    )

  yield* Effect.andThen(answering, stored(compare)).pipe(
    Effect.andThen(Effect.forever(Effect.flatMap(Queue.take(changes), (change) => stored(hear(change))))),
    Effect.forkScoped
  )

  return { origins: ["proposal", "review", "run"], carryOut, readAgain: () => compare }
})
