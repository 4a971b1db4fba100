import { randomUUID } from "node:crypto"
import { Clock, Context, Effect, Layer, Result, type Scope } from "effect"
import { MAX_ATTACHMENT_BYTES, MAX_OUTBOX_BYTES, MAX_WAITING, type OutboxState } from "../../contract/outbox.ts"
import { PRIMARY } from "../../contract/qualifiedKey.ts"
import type { MessageChange, MessageDecision, NewMessage, OutboxItem } from "../../contract/schema/outbox.ts"
import { EveryGateway } from "../gateway/registry/EveryGateway.ts"
import { StartHolds } from "../holds/StartHolds.ts"
import { EventBus } from "../platform/events/EventBus.ts"
import { ServerReady } from "../platform/ServerReady.ts"
import { type SqlConnection, Sqlite, type StoreError } from "../platform/sqlite/Sqlite.ts"
import { makeMessageStore } from "./MessageStore.ts"
import { makeDelivery } from "./outboxDelivery.ts"
import {
  AttachmentsTooLarge,
  EmptyMessage,
  MessageNotFound,
  MessageOnItsWay,
  OutboxFull,
  type OutboxSession,
  type StoredAttachment,
  type StoredMessage,
  UnknownGateway
} from "./outboxMessage.ts"
import { moved } from "./outboxRules.ts"
import {
  allMessages,
  attachmentsOf,
  type Backlog,
  backlogAt,
  bytesKept,
  countWaiting,
  endMessage,
  findDone,
  findMessage,
  forgetDone,
  insertMessage,
  itemOf,
  messagesIn,
  messagesOf,
  saveMessage,
  savePlaces
} from "./outboxTable.ts"
import { SessionBeginnings } from "./SessionBeginnings.ts"

/** How long the id of a finished message is kept. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000

/** The new states of messages whose gateway is removed. */
const AFTER_REMOVAL = new Map<OutboxState, "done" | Pick<StoredMessage, "state" | "error">>([
  ["waiting", { state: "failed", error: { message: "Not sent because its gateway was removed from this console." } }],
  [
    "sending",
    { state: "unsure", error: { message: "The gateway was removed from this console while this was being sent." } }
  ],
  ["handed", "done"]
])

/** An accepted message; `isNew` is false if its id was known. */
interface AcceptedMessage {
  readonly item: OutboxItem
  readonly isNew: boolean
}

export interface OutboxShape {
  /** The unfinished messages of a session, or of all. */
  readonly list: (session: OutboxSession | undefined) => Effect.Effect<ReadonlyArray<OutboxItem>, StoreError>
  /** The gateway that a message is for; undefined if there's no such message. */
  readonly gatewayOf: (id: string) => Effect.Effect<string | undefined, StoreError>
  /** Calls the listener with a session's unfinished messages, now and after every change, until the scope closes. */
  readonly follow: (
    session: OutboxSession,
    listener: (items: ReadonlyArray<OutboxItem>) => void
  ) => Effect.Effect<void, StoreError, Scope.Scope>
  /** Accepts a message, whether or not the gateway is connected; it's on disk when this returns. */
  readonly add: (
    message: NewMessage
  ) => Effect.Effect<AcceptedMessage, EmptyMessage | AttachmentsTooLarge | OutboxFull | UnknownGateway | StoreError>
  /** The message of an id, as `add` returns a known one; undefined for an id that isn't known. */
  readonly known: (id: string) => Effect.Effect<OutboxItem | undefined, StoreError>
  /** Changes a waiting or failed message. */
  readonly change: (
    id: string,
    change: MessageChange
  ) => Effect.Effect<OutboxItem, EmptyMessage | MessageNotFound | MessageOnItsWay | StoreError>
  /** An attachment of a message by its index. */
  readonly attachment: (id: string, index: number) => Effect.Effect<StoredAttachment, MessageNotFound | StoreError>
  /** Removes a message that isn't being sent. */
  readonly remove: (id: string) => Effect.Effect<void, MessageNotFound | MessageOnItsWay | StoreError>
  /** Looks at all waiting messages again, since others may be held now; their sessions are told. */
  readonly lookAgain: Effect.Effect<void, StoreError>
  /** Decides about a message that failed or may have arrived. */
  readonly resolve: (
    id: string,
    decision: MessageDecision
  ) => Effect.Effect<void, MessageNotFound | MessageOnItsWay | StoreError>
  /** How much isn't done, and for how long. */
  readonly backlog: Effect.Effect<Backlog, StoreError>
}

/** The answer to a repeated request: a finished message has no text any more. */
const knownItem = (db: SqlConnection, { id, mode }: Pick<NewMessage, "id" | "mode">): OutboxItem | undefined => {
  const found = findMessage(db, id)
  if (found !== undefined) return itemAt(db, found)
  const done = findDone(db, id)
  return done && { id, ...done, text: "", mode, position: 0, state: "handed", runId: id }
}

const isSameSession = (one: OutboxSession | undefined, other: OutboxSession): boolean =>
  one?.gatewayId === other.gatewayId && one.sessionKey === other.sessionKey

const isOnItsWay = ({ state }: StoredMessage): boolean => state === "sending" || state === "handed"

const itemAt = (db: SqlConnection, message: StoredMessage): OutboxItem => {
  const position = messagesOf(db, message).findIndex(({ id }) => id === message.id)
  return itemOf(db, message, position)
}

/** The message, if `isOpen` allows changing it. */
const open = (
  db: SqlConnection,
  id: string,
  isOpen: (message: StoredMessage) => boolean
): Result.Result<StoredMessage, MessageNotFound | MessageOnItsWay> => {
  const found = findMessage(db, id)
  if (found === undefined) return Result.fail(new MessageNotFound({ id }))
  return isOpen(found) ? Result.succeed(found) : Result.fail(new MessageOnItsWay({ item: itemAt(db, found) }))
}

/** Messages to agents: stored by the console once it has accepted them, and sent to the gateway in their order. */
export class Outbox extends Context.Service<Outbox, OutboxShape>()("agent-console/services/outbox/Outbox") {
  static readonly layer = Layer.effect(
    Outbox,
    Effect.gen(function* () {
      const sqlite = yield* Sqlite
      const bus = yield* EventBus
      const every = yield* EveryGateway
      const serverReady = yield* ServerReady
      const holds = yield* StartHolds
      const begin = yield* SessionBeginnings
      const store = yield* makeMessageStore(sqlite, bus, holds.ofMessage)
      const deliveries = yield* every.each(
        Effect.fnUntraced(function* ({ activity, client, feed, id }) {
          const delivery = yield* makeDelivery({ activity, begin, gateway: client, gatewayId: id, store })
          yield* feed.follow(delivery.onEvent)
          yield* Effect.forkScoped(Effect.andThen(serverReady.wait, delivery.pump))
          return delivery
        })
      )
      const look = ({ gatewayId, sessionKey }: OutboxSession) =>
        deliveries.get(gatewayId)?.look(sessionKey) ?? Effect.void
      // Another gateway that gets the same id must not get these messages.
      yield* every.onRemoved((gatewayId) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          store.change((db) => {
            const all = [...AFTER_REMOVAL].flatMap(([state, next]) =>
              messagesIn(db, gatewayId, state).map((message) => ({ message, next }))
            )
            for (const { message, next } of all) {
              if (next === "done") endMessage(db, message.id, now)
              else saveMessage(db, { ...message, ...next })
            }
            return Result.succeed(all.map(({ message }) => message))
          })
        ).pipe(Effect.ignore({ log: "Warn" }))
      )
      yield* Effect.flatMap(Clock.currentTimeMillis, (now) =>
        sqlite.transaction((db) => Result.succeed(forgetDone(db, now - KEPT_MS)))
      ).pipe(Effect.ignore({ log: "Warn" }))

      const add: OutboxShape["add"] = Effect.fn("Outbox.add")(function* (message) {
        const { attachments = [], begin, id, mode, notBefore, sessionKey, text } = message
        const { gatewayId = PRIMARY } = message
        if (!deliveries.has(gatewayId)) return yield* new UnknownGateway({ id: gatewayId })
        if (text.trim() === "" && attachments.length === 0) return yield* new EmptyMessage()
        const files: ReadonlyArray<StoredAttachment> = attachments.map(({ name, type, data }) => ({
          name,
          type,
          content: Buffer.from(data, "base64")
        }))
        const size = files.reduce((sum, { content }) => sum + content.byteLength, 0)
        if (size > MAX_ATTACHMENT_BYTES) return yield* new AttachmentsTooLarge()
        const bytes = size + Buffer.byteLength(text)
        const createdAt = yield* Clock.currentTimeMillis
        const stored: StoredMessage = {
          id,
          gatewayId,
          sessionKey,
          text,
          mode,
          notBefore,
          begin: begin !== undefined && Object.values(begin).some((value) => value !== undefined) ? begin : undefined,
          createdAt,
          state: "waiting",
          runId: id
        }
        let known: OutboxItem | undefined
        const [item] = yield* store.change((db): Result.Result<ReadonlyArray<OutboxItem>, OutboxFull> => {
          known = knownItem(db, message)
          if (known !== undefined) return Result.succeed([])
          if (countWaiting(db, stored) >= MAX_WAITING) return Result.fail(new OutboxFull({ of: "session" }))
          if (bytesKept(db) + bytes > MAX_OUTBOX_BYTES) return Result.fail(new OutboxFull({ of: "console" }))
          insertMessage(db, stored, files, bytes)
          return Result.succeed([itemAt(db, stored)])
        })
        yield* look(stored)
        const accepted = item ?? known
        return accepted === undefined
          ? yield* Effect.die("a message was neither stored nor known")
          : { item: store.withHeld(accepted), isNew: item !== undefined }
      })

      const change: OutboxShape["change"] = Effect.fn("Outbox.change")(function* (id, { position, ...fields }) {
        const [item] = yield* store.change(
          (db) =>
            Result.flatMap(
              open(db, id, (message) => !isOnItsWay(message) && message.state !== "unsure"),
              (found): Result.Result<ReadonlyArray<OutboxItem>, EmptyMessage> => {
                const { notBefore, ...rest } = fields
                const next = {
                  ...found,
                  ...rest,
                  ...(notBefore === undefined ? {} : { notBefore: notBefore ?? undefined })
                }
                if (next.text.trim() === "" && attachmentsOf(db, id).length === 0)
                  return Result.fail(new EmptyMessage())
                saveMessage(db, next)
                if (position !== undefined) savePlaces(db, moved(messagesOf(db, found), id, position))
                return Result.succeed([itemAt(db, next)])
              }
            ),
          fields.text !== undefined
        )
        if (item === undefined) return yield* new MessageNotFound({ id })
        yield* look(item)
        return store.withHeld(item)
      })

      /** Ends a message or changes it. */
      const settle = Effect.fnUntraced(function* (
        id: string,
        isOpen: (message: StoredMessage) => boolean,
        next: (message: StoredMessage) => StoredMessage | undefined
      ) {
        const now = yield* Clock.currentTimeMillis
        const [found] = yield* store.change((db) =>
          Result.map(open(db, id, isOpen), (message) => {
            const after = next(message)
            if (after === undefined) endMessage(db, id, now)
            else saveMessage(db, after)
            return [message]
          })
        )
        if (found !== undefined) yield* look(found)
      })

      const attachment: OutboxShape["attachment"] = Effect.fn("Outbox.attachment")(function* (id, index) {
        const found = yield* sqlite.read((db) => attachmentsOf(db, id)[index])
        return found ?? (yield* new MessageNotFound({ id }))
      })

      const remove: OutboxShape["remove"] = Effect.fn("Outbox.remove")((id) =>
        settle(
          id,
          (message) => !isOnItsWay(message),
          () => undefined
        )
      )

      const resolve: OutboxShape["resolve"] = Effect.fn("Outbox.resolve")((id, { action }) =>
        settle(
          id,
          ({ state }) => state === "failed" || state === "unsure",
          (message) => {
            if (action !== "again") return undefined
            // A gateway refuses a refused id again, and never runs the same id twice.
            const attempt = message.state === "failed" ? { runId: randomUUID(), sentAt: undefined } : {}
            return { ...message, ...attempt, state: "waiting", error: undefined }
          }
        )
      )

      return Outbox.of({
        list: (session) =>
          sqlite.read((db) => {
            const all = session === undefined ? allMessages(db) : messagesOf(db, session)
            let position = 0
            return all.map((message, index) => {
              position = isSameSession(all[index - 1], message) ? position + 1 : 0
              return store.withHeld(itemOf(db, message, position))
            })
          }),
        gatewayOf: (id) => sqlite.read((db) => findMessage(db, id)?.gatewayId),
        follow: store.follow,
        add,
        known: (id) =>
          Effect.map(
            sqlite.read((db) => knownItem(db, { id, mode: "next" })),
            (item) => item && store.withHeld(item)
          ),
        change,
        attachment,
        lookAgain: Effect.gen(function* () {
          const waiting = (yield* sqlite.read(allMessages)).filter(({ state }) => state === "waiting")
          const sessions = new Map(
            waiting.map(({ gatewayId, sessionKey }) => [`${gatewayId} ${sessionKey}`, { gatewayId, sessionKey }])
          )
          yield* store.tell(sessions.values())
          yield* Effect.forEach(sessions.values(), look, { discard: true })
        }),
        remove,
        resolve,
        backlog: Effect.flatMap(Clock.currentTimeMillis, (now) => sqlite.read((db) => backlogAt(db, now)))
      })
    })
  )
}
