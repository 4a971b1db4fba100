import { Effect, type Result, Semaphore } from "effect"
import { MAX_TOLD } from "../../contract/outbox.ts"
import type { OutboxChange } from "../../contract/schema/outbox.ts"
import type { EventBusShape } from "../platform/events/EventBus.ts"
import type { SqlConnection, SqliteShape } from "../platform/sqlite/Sqlite.ts"
import type { OutboxSession } from "./outboxMessage.ts"
import { standingsOf } from "./outboxStore.ts"

/** The messages in the database, and the news of their changes. */
export const makeOutboxLedger = Effect.fnUntraced(function* (sqlite: SqliteShape, bus: EventBusShape) {
  // Events go out in the order of the commits.
  const order = yield* Semaphore.make(1)

  /** Whoever knows the words needs nothing more than this. */
  const told = (session: OutboxSession) =>
    Effect.map(
      sqlite.read((db) => standingsOf(db, session, MAX_TOLD + 1)),
      (items): OutboxChange => (items.length > MAX_TOLD ? session : { ...session, items })
    )

  /**
   * Runs a durable change, which returns what it has changed; their sessions are told about, and how their messages
   * stand unless `hasNewWords`.
   */
  const change = <A extends OutboxSession, E = never>(
    body: (db: SqlConnection) => Result.Result<ReadonlyArray<A>, E>,
    hasNewWords = false
  ) =>
    Effect.gen(function* () {
      const changed = yield* sqlite.transaction(body)
      const sessions = new Map(
        changed.map(({ gatewayId, sessionKey }) => [`${gatewayId} ${sessionKey}`, { gatewayId, sessionKey }])
      )
      for (const session of sessions.values()) {
        const data = hasNewWords ? session : yield* Effect.orElseSucceed(told(session), () => session)
        yield* bus.publish({ event: "outbox.changed", data })
      }
      return changed
    }).pipe(order.withPermit, Effect.uninterruptible)

  return { change, read: sqlite.read }
})

export type OutboxLedger = Effect.Success<ReturnType<typeof makeOutboxLedger>>
