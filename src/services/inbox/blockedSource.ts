import { randomUUID } from "node:crypto"
import { Clock, Effect, PubSub, Queue, type Scope } from "effect"
import type { KanbanChange } from "../../contract/schema/kanbanChange.ts"
import type { LostLink } from "../board/store/automaticStore.ts"
import { retryWhileUnavailable } from "../platform/sqlite/Sqlite.ts"
import {
  BREAKER_ORIGIN,
  breakerDraft,
  dismissedOf,
  dismissLost,
  LOST_ORIGIN,
  lostDraft,
  lostEnd
} from "./blockedItems.ts"
import type { BoardSourceOptions } from "./boardSource.ts"
import type { InboxSource } from "./ItemStore.ts"

/** Whether a change may leave a card waiting for something that never comes. */
const mayBlock = ({ kind, task }: KanbanChange): boolean =>
  kind === "config" ||
  (kind === "task" &&
    (task === undefined || task.autoStart || task.status === "cancelled" || task.run?.automatic !== undefined))

/** Cards that start by themselves and can't any more, and automatic starts that were switched off. */
export const makeBlockedSource = Effect.fnUntraced(function* ({
  board,
  bus,
  gatewayId,
  runs,
  serverReady,
  store
}: BoardSourceOptions): Effect.fn.Return<InboxSource, never, Scope.Scope> {
  const { automatic } = board
  const news = yield* Queue.sliding<void>(1)
  let isAnyOpen = true
  const published = yield* bus.subscribe
  yield* PubSub.take(published).pipe(
    Effect.flatMap((event) =>
      event.event === "kanban.changed" && (isAnyOpen || mayBlock(event.data))
        ? Queue.offer(news, undefined)
        : Effect.void
    ),
    Effect.forever,
    Effect.forkScoped
  )

  const taskOf = (id: string) => Effect.catchTag(board.get(id), "TaskNotFound", () => Effect.undefined)

  const syncLost = Effect.fnUntraced(function* (at: number) {
    const links = Map.groupBy(yield* automatic.lost, ({ taskId }) => taskId)
    const open = yield* store.open(gatewayId, [LOST_ORIGIN])
    for (const { from, item } of open) {
      if (item.taskId !== undefined && links.has(item.taskId)) continue
      const task = yield* taskOf(item.taskId ?? "")
      yield* store.settle(from, () => lostEnd(task, item.createdAt, at))
    }
    const isOpen = new Set(open.map(({ item }) => item.taskId))
    const missing = [...links].filter(([taskId]) => !isOpen.has(taskId))
    if (missing.length > 0)
      yield* store.change((db) =>
        missing.flatMap(([taskId, [first, ...rest]]) => {
          const dismissed = dismissedOf(db, taskId)
          return first === undefined || [first, ...rest].every(({ lostId }) => dismissed.has(lostId))
            ? []
            : store.opened(db, lostDraft(gatewayId, [first, ...rest], { source: `${taskId} ${randomUUID()}`, at }))
        })
      )
    return links.size > 0 || open.length > 0
  })

  const syncBreaker = Effect.fnUntraced(function* (at: number) {
    const breaker = yield* automatic.breaker
    const open = yield* store.open(gatewayId, [BREAKER_ORIGIN])
    for (const { from } of open)
      if (from.source !== breaker?.id) yield* store.settle(from, () => ({ action: "resume", at, by: "console" }))
    if (breaker !== undefined && !open.some(({ from }) => from.source === breaker.id)) {
      const task = breaker.taskId === undefined ? undefined : yield* taskOf(breaker.taskId)
      yield* store.change((db) => store.opened(db, breakerDraft(gatewayId, breaker, task?.title)))
    }
    return breaker !== undefined
  })

  /** Compares the inbox with the board. */
  const compare = Effect.gen(function* () {
    const at = yield* Clock.currentTimeMillis
    const found = [yield* syncLost(at), yield* syncBreaker(at)]
    isAnyOpen = found.includes(true)
  })

  const dismiss = (links: ReadonlyArray<LostLink>) =>
    store.change((db) => {
      for (const link of links) dismissLost(db, link)
      return []
    })

  const execute: InboxSource["execute"] = ({ from, item: { taskId = "" } }, { action }) => {
    switch (`${from.origin} ${action}`) {
      case `${LOST_ORIGIN} start-anyway`:
        return Effect.asVoid(runs.execute(taskId, { force: true }))
      case `${LOST_ORIGIN} unlink`:
        return Effect.asVoid(automatic.unlinkLost(taskId))
      case `${LOST_ORIGIN} dismiss`:
        return Effect.flatMap(automatic.lost, (links) =>
          Effect.asVoid(dismiss(links.filter((link) => link.taskId === taskId)))
        )
      default:
        return Effect.asVoid(board.updateConfig({ parallel: { paused: false } }))
    }
  }

  const inTime = compare.pipe(
    Effect.retry(retryWhileUnavailable),
    Effect.catch((error) => Effect.logWarning(`Couldn't store what waits for a person: ${error.message}`))
  )
  yield* Effect.andThen(serverReady, inTime).pipe(
    Effect.andThen(Effect.forever(Effect.andThen(Queue.take(news), inTime))),
    Effect.forkScoped
  )

  return { origins: [LOST_ORIGIN, BREAKER_ORIGIN], execute, reload: () => compare }
})
