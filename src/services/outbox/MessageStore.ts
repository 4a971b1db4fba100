import { Effect, type Result, Semaphore } from "effect"
import { MAX_TOLD, type OutboxState } from "../../contract/outbox.ts"
import type { HeldBy } from "../../contract/schema/budget.ts"
import type { OutboxChange, OutboxItem } from "../../contract/schema/outbox.ts"
import type { EventBusShape } from "../platform/events/EventBus.ts"
import { optionalEntry } from "../platform/optionalEntry.ts"
import type { SqlConnection, SqliteShape } from "../platform/sqlite/Sqlite.ts"
import type { OutboxSession } from "./outboxMessage.ts"
import { itemOf, messagesOf, statesOf } from "./outboxTable.ts"

/** The messages in the database, with the events about their changes. */
export const makeMessageStore = Effect.fnUntraced(function* (
  sqlite: SqliteShape,
  bus: EventBusShape,
  /** What keeps a message from being sent. */
  heldBy: (message: OutboxSession & { readonly id: string }) => HeldBy | undefined
) {
  // Events are published in the order of the commits.
  const order = yield* Semaphore.make(1)

  /** The event with the messages' states, which is enough for pages that have the texts. */
  const statesEvent = (session: OutboxSession) =>
    Effect.map(
      sqlite.read((db) => statesOf(db, session, MAX_TOLD + 1)),
      (items): OutboxChange =>
        items.length > MAX_TOLD
          ? session
          : { ...session, items: items.map((item) => withHeld({ ...session, ...item })) }
    )

  /** A message with what holds it while it waits. */
  const withHeld = <A extends OutboxSession & { readonly id: string; readonly state: OutboxState }>(item: A): A => ({
    ...item,
    ...(item.state === "waiting" ? optionalEntry("held", heldBy(item)) : {})
  })

  /** Those that hear of every change of a session's messages, in order and without a gap. */
  const followers = new Map<string, Set<(items: ReadonlyArray<OutboxItem>) => void>>()
  const idOf = ({ gatewayId, sessionKey }: OutboxSession) => `${gatewayId} ${sessionKey}`
  const itemsOf = (session: OutboxSession) =>
    sqlite.read((db) => messagesOf(db, session).map((message, position) => withHeld(itemOf(db, message, position))))
  const tellFollowers = (session: OutboxSession) =>
    Effect.suspend(() => {
      const listeners = followers.get(idOf(session))
      if (listeners === undefined) return Effect.void
      return Effect.map(itemsOf(session), (items) => {
        for (const listener of listeners) listener(items)
      })
    }).pipe(Effect.ignore({ log: "Warn" }))

  /** Calls the listener with a session's messages, now and after each change, until the scope closes. */
  const follow = Effect.fnUntraced(function* (
    session: OutboxSession,
    listener: (items: ReadonlyArray<OutboxItem>) => void
  ) {
    const id = idOf(session)
    yield* Effect.acquireRelease(
      Effect.sync(() => {
        followers.set(id, new Set(followers.get(id)).add(listener))
      }),
      () =>
        Effect.sync(() => {
          const left = [...(followers.get(id) ?? [])].filter((other) => other !== listener)
          if (left.length === 0) followers.delete(id)
          else followers.set(id, new Set(left))
        })
    )
    listener(yield* itemsOf(session))
  }, order.withPermit)

  /** Publishes an event for each of these sessions, in which nothing has changed but what holds the messages. */
  const tell = (sessions: Iterable<OutboxSession>) =>
    Effect.forEach(
      sessions,
      (session) =>
        Effect.flatMap(
          Effect.orElseSucceed(statesEvent(session), () => session),
          (data) => bus.publish({ event: "outbox.changed", data })
        ).pipe(Effect.andThen(tellFollowers(session))),
      { discard: true }
    ).pipe(order.withPermit, Effect.uninterruptible)

  /**
   * Runs a durable change, which returns the changed messages, and publishes an event for each of their sessions. It
   * contains the states of the messages unless a text changed.
   */
  const change = <A extends OutboxSession, E = never>(
    body: (db: SqlConnection) => Result.Result<ReadonlyArray<A>, E>,
    isTextChange = false
  ) =>
    Effect.gen(function* () {
      const changed = yield* sqlite.transaction(body)
      const sessions = new Map(
        changed.map(({ gatewayId, sessionKey }) => [`${gatewayId} ${sessionKey}`, { gatewayId, sessionKey }])
      )
      for (const session of sessions.values()) {
        const data = isTextChange ? session : yield* Effect.orElseSucceed(statesEvent(session), () => session)
        yield* bus.publish({ event: "outbox.changed", data })
        yield* tellFollowers(session)
      }
      return changed
    }).pipe(order.withPermit, Effect.uninterruptible)

  return { change, follow, read: sqlite.read, withHeld, tell, heldBy }
})

export type MessageStore = Effect.Success<ReturnType<typeof makeMessageStore>>
