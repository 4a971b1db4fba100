import { Effect, type Result, Semaphore } from "effect"
import type { EventBusShape } from "../platform/events/EventBus.ts"
import type { SqlConnection, SqliteShape } from "../platform/sqlite/Sqlite.ts"
import type { OutboxSession } from "./outboxMessage.ts"

/** The messages in the database, and the news of their changes. */
export const makeOutboxLedger = Effect.fnUntraced(function* (sqlite: SqliteShape, bus: EventBusShape) {
  // Events go out in the order of the commits.
  const order = yield* Semaphore.make(1)

  /** Runs a durable change, which returns what it has changed; their sessions are told about. */
  const change = <A extends OutboxSession, E = never>(
    body: (db: SqlConnection) => Result.Result<ReadonlyArray<A>, E>
  ) =>
    Effect.gen(function* () {
      const changed = yield* sqlite.transaction(body)
      const sessions = new Map(
        changed.map(({ gatewayId, sessionKey }) => [`${gatewayId} ${sessionKey}`, { gatewayId, sessionKey }])
      )
      for (const data of sessions.values()) yield* bus.publish({ event: "outbox.changed", data })
      return changed
    }).pipe(order.withPermit, Effect.uninterruptible)

  return { change, read: sqlite.read }
})

export type OutboxLedger = Effect.Success<ReturnType<typeof makeOutboxLedger>>
