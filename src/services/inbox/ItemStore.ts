import { randomUUID } from "node:crypto"
import { Clock, Deferred, Effect, Queue, Result, Semaphore } from "effect"
import type { InboxChange, InboxItem, InboxResolution } from "../../contract/schema/inbox.ts"
import type { StartRefused } from "../board/runs/BoardRuns.ts"
import type { GatewayError } from "../gateway/client/GatewayError.ts"
import type { EventBusShape } from "../platform/events/EventBus.ts"
import type { SqlConnection, SqliteShape, StoreError } from "../platform/sqlite/Sqlite.ts"
import {
  type CheckedDecision,
  ended,
  type InvalidDecision,
  ItemNotFound,
  ItemResolved,
  outOfTime
} from "./inboxRules.ts"
import {
  findBySource,
  findItem,
  forgetEnded,
  type ItemDraft,
  type ItemKey,
  insertItem,
  nextDeadline,
  openOf,
  openOfTask,
  openUntil,
  type StoredItem,
  saveEnd
} from "./inboxTable.ts"

const KEPT_MS = 30 * 24 * 60 * 60 * 1000
/** The gateway reports the end of most items; after this time they expire by the clock. */
const GRACE_MS = 2_000
const LONGEST_SLEEP_MS = 60 * 60 * 1000

/** Computes the resolution of an item. */
export type Ending = (item: InboxItem) => InboxResolution

/** A decision in progress; an end reported meanwhile is passed to it. */
interface Passing {
  readonly over: Deferred.Deferred<void>
  readonly reported: Deferred.Deferred<Ending>
}

/** The items in the database, with the events about their changes. */
export const makeItemStore = Effect.fnUntraced(function* (sqlite: SqliteShape, bus: EventBusShape) {
  const passing = new Map<string, Passing>()
  const wake = yield* Queue.sliding<void>(1)
  // Events are published in the order of the commits.
  const order = yield* Semaphore.make(1)

  const change = (body: (db: SqlConnection) => ReadonlyArray<InboxChange>) =>
    Effect.gen(function* () {
      const changes = yield* sqlite.transaction((db) => Result.succeed(body(db)))
      for (const data of changes) yield* bus.publish({ event: "inbox.changed", data })
      if (changes.length > 0) yield* Queue.offer(wake, undefined)
      return changes
    }).pipe(order.withPermit, Effect.uninterruptible)

  /** Opens an item unless its key has had one. */
  const opened = (db: SqlConnection, draft: ItemDraft): ReadonlyArray<InboxChange> =>
    findBySource(db, draft) === undefined ? [{ action: "opened", item: insertItem(db, randomUUID(), draft) }] : []

  const closed = (db: SqlConnection, stored: StoredItem | undefined, ending: Ending): ReadonlyArray<InboxChange> => {
    const item = stored && ended(stored.item, ending(stored.item))
    if (item === undefined) return []
    saveEnd(db, item)
    return [{ action: item.state === "expired" ? "expired" : "resolved", item }]
  }

  /** Ends an item that ended at its source; if it's being decided, passes the end to that decision. */
  const settled = (db: SqlConnection, stored: StoredItem | undefined, ending: Ending): ReadonlyArray<InboxChange> => {
    const on = stored && passing.get(stored.item.id)
    if (on === undefined) return closed(db, stored, ending)
    Deferred.doneUnsafe(on.reported, Effect.succeed(ending))
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

  /** Expires items that are out of time and deletes old ones, then waits until the next one may be due. */
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

  /** Waits until no decision about this item is in progress. */
  const untilFree = (id: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      const on = passing.get(id)
      return on === undefined ? Effect.void : Effect.andThen(Deferred.await(on.over), untilFree(id))
    })

  /** Locks an item while its decision is executed. */
  const deciding = <A, E>(id: string, decide: (reported: Deferred.Deferred<Ending>) => Effect.Effect<A, E>) =>
    Effect.suspend(() => {
      const mine: Passing = { over: Deferred.makeUnsafe(), reported: Deferred.makeUnsafe() }
      passing.set(id, mine)
      return decide(mine.reported).pipe(
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
    settle: (source: ItemKey, ending: Ending) => change((db) => settled(db, findBySource(db, source), ending)),
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

export type ItemStore = Effect.Success<ReturnType<typeof makeItemStore>>

/** It ended elsewhere before; `ending` is how, as far as that is known. */
interface Settled {
  readonly _tag: "Settled"
  readonly ending: Ending
}

/** A source of items, which it follows while its scope is open, and which executes decisions about them. */
export interface InboxSource {
  readonly origins: ReadonlyArray<string>
  /** Executes a decision; fails with `Settled` if the item ended before. */
  readonly execute: (
    item: StoredItem,
    decision: CheckedDecision
  ) => Effect.Effect<void, Settled | GatewayError | StoreError | InvalidDecision | StartRefused>
  /** Reads the open items again, after a decision failed. */
  readonly reload: (origin: string) => Effect.Effect<void, GatewayError | StoreError>
}

export const alreadySettled = (ending: Ending): Settled => ({ _tag: "Settled", ending })
