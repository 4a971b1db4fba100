import { randomUUID } from "node:crypto"
import { Clock, Deferred, Effect, Queue, Result, Semaphore } from "effect"
import type { InboxChange, InboxItem, InboxResolution } from "../../contract/schema/inbox.ts"
import type { EventBusShape } from "../platform/events/EventBus.ts"
import type { SqlConnection, SqliteShape } from "../platform/sqlite/Sqlite.ts"
import { ItemNotFound, ItemResolved } from "./inboxErrors.ts"
import { ended, outOfTime } from "./inboxRules.ts"
import {
  findBySource,
  findItem,
  forgetEnded,
  type ItemDraft,
  type ItemSource,
  insertItem,
  nextDeadline,
  openOf,
  openOfTask,
  openUntil,
  type StoredItem,
  saveEnd
} from "./inboxStore.ts"

const KEPT_MS = 30 * 24 * 60 * 60 * 1000
/** The gateway tells the end of most items; the clock steps in when it doesn't. */
const GRACE_MS = 2_000
const LONGEST_SLEEP_MS = 60 * 60 * 1000

/** How an item ends, if it does. */
export type Ending = (item: InboxItem) => InboxResolution

/** A decision on its way: how the item ended meanwhile is left to whoever decides it. */
interface Passing {
  readonly over: Deferred.Deferred<void>
  readonly heard: Deferred.Deferred<Ending>
}

/** The items in the database, their ends, and what is told about them. */
export const makeLedger = Effect.fnUntraced(function* (sqlite: SqliteShape, bus: EventBusShape) {
  const passing = new Map<string, Passing>()
  const wake = yield* Queue.sliding<void>(1)
  // Events go out in the order of the commits.
  const order = yield* Semaphore.make(1)

  const change = (body: (db: SqlConnection) => ReadonlyArray<InboxChange>) =>
    Effect.gen(function* () {
      const changes = yield* sqlite.transaction((db) => Result.succeed(body(db)))
      for (const data of changes) yield* bus.publish({ event: "inbox.changed", data })
      if (changes.length > 0) yield* Queue.offer(wake, undefined)
      return changes
    }).pipe(order.withPermit, Effect.uninterruptible)

  /** Opens an item unless what it is about has had one. */
  const opened = (db: SqlConnection, draft: ItemDraft): ReadonlyArray<InboxChange> =>
    findBySource(db, draft) === undefined ? [{ action: "opened", item: insertItem(db, randomUUID(), draft) }] : []

  const closed = (db: SqlConnection, stored: StoredItem | undefined, ending: Ending): ReadonlyArray<InboxChange> => {
    const item = stored && ended(stored.item, ending(stored.item))
    if (item === undefined) return []
    saveEnd(db, item)
    return [{ action: item.state === "expired" ? "expired" : "resolved", item }]
  }

  /** Ends an item that ended where it comes from; one that is being decided is told how. */
  const settled = (db: SqlConnection, stored: StoredItem | undefined, ending: Ending): ReadonlyArray<InboxChange> => {
    const on = stored && passing.get(stored.item.id)
    if (on === undefined) return closed(db, stored, ending)
    Deferred.doneUnsafe(on.heard, Effect.succeed(ending))
    return []
  }

  const stored = Effect.fnUntraced(function* (id: string) {
    const found = yield* sqlite.read((db) => findItem(db, id))
    return found ?? (yield* new ItemNotFound({ id }))
  })

  /** Ends an item by a decision; fails if it has ended before. */
  const end = Effect.fnUntraced(function* (id: string, ending: Ending) {
    const [done] = yield* change((db) => closed(db, findItem(db, id), ending))
    return done?.item ?? (yield* new ItemResolved({ item: (yield* stored(id)).item }))
  })

  /** Ends what is out of time and forgets what ended long ago; returns when the next one may be due. */
  const tick = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    yield* change((db) => {
      forgetEnded(db, now - KEPT_MS)
      return openUntil(db, now - GRACE_MS)
        .filter(({ item }) => !passing.has(item.id))
        .flatMap((late) => closed(db, late, (item) => outOfTime(item.expiresAt ?? now)))
    })
    const next = yield* sqlite.read(nextDeadline)
    const pause = next === undefined ? LONGEST_SLEEP_MS : Math.max(next + GRACE_MS - now, GRACE_MS)
    yield* Effect.timeoutOption(Queue.take(wake), Math.min(pause, LONGEST_SLEEP_MS))
  })

  /** Waits until nobody decides this item any more. */
  const untilFree = (id: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      const on = passing.get(id)
      return on === undefined ? Effect.void : Effect.andThen(Deferred.await(on.over), untilFree(id))
    })

  /** Keeps everybody else from deciding an item while its decision is carried out. */
  const deciding = <A, E>(id: string, decide: (heard: Deferred.Deferred<Ending>) => Effect.Effect<A, E>) =>
    Effect.suspend(() => {
      const mine: Passing = { over: Deferred.makeUnsafe(), heard: Deferred.makeUnsafe() }
      passing.set(id, mine)
      return decide(mine.heard).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            passing.delete(id)
            Deferred.doneUnsafe(mine.over, Effect.void)
          })
        )
      )
    })

  return {
    change,
    opened,
    closed,
    settled,
    /** Ends what an event names. */
    settle: (source: ItemSource, ending: Ending) => change((db) => settled(db, findBySource(db, source), ending)),
    /** The open items of some origins. */
    open: (gatewayId: string, origins: ReadonlyArray<string>) =>
      sqlite.read((db) => origins.flatMap((origin) => openOf(db, gatewayId, origin))),
    /** The open items about one card. */
    openOfTask: (gatewayId: string, taskId: string) => sqlite.read((db) => openOfTask(db, gatewayId, taskId)),
    stored,
    end,
    tick,
    untilFree,
    deciding,
    isDeciding: (id: string) => passing.has(id)
  }
})

export type InboxLedger = Effect.Success<ReturnType<typeof makeLedger>>
