import { randomUUID } from "node:crypto"
import { Clock, Context, Effect, Layer, Result } from "effect"
import { MAX_ATTACHMENT_BYTES, MAX_OUTBOX_BYTES, MAX_WAITING, type OutboxState } from "../../contract/outbox.ts"
import { PRIMARY } from "../../contract/qualifiedKey.ts"
import type { MessageChange, MessageDecision, NewMessage, OutboxItem } from "../../contract/schema/outbox.ts"
import { EveryGateway } from "../gateway/registry/EveryGateway.ts"
import { EventBus } from "../platform/events/EventBus.ts"
import { type SqlConnection, Sqlite, type StoreError } from "../platform/sqlite/Sqlite.ts"
import { Answering } from "../platform/startup/Answering.ts"
import { makeOutboxLedger } from "./OutboxLedger.ts"
import { makeDelivery } from "./outboxDelivery.ts"
import {
  AttachmentsTooLarge,
  EmptyMessage,
  MessageNotFound,
  MessageOnItsWay,
  OutboxFull,
  UnknownGateway
} from "./outboxErrors.ts"
import type { OutboxSession, StoredAttachment, StoredMessage } from "./outboxMessage.ts"
import { moved } from "./outboxRules.ts"
import {
  allMessages,
  attachmentsOf,
  bytesKept,
  countWaiting,
  endMessage,
  findDone,
  findMessage,
  forgetDone,
  insertMessage,
  messagesIn,
  messagesOf,
  saveMessage,
  savePlaces,
  shownMessage
} from "./outboxStore.ts"

/** For how long the id of a message that is done with stays known. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000

/** What becomes of messages whose gateway is removed. */
const MEANT = new Map<OutboxState, "done" | Pick<StoredMessage, "state" | "error">>([
  ["waiting", { state: "failed", error: { message: "Not sent because its gateway was removed from this console." } }],
  [
    "sending",
    { state: "unsure", error: { message: "The gateway was removed from this console while this was being sent." } }
  ],
  ["handed", "done"]
])

/** A message that was taken; `isNew` is false if one of this id was there already. */
export interface TakenMessage {
  readonly item: OutboxItem
  readonly isNew: boolean
}

export interface OutboxShape {
  /** The messages of a session, or of all, that aren't done with. */
  readonly list: (session: OutboxSession | undefined) => Effect.Effect<ReadonlyArray<OutboxItem>, StoreError>
  /** Takes a message, with or without a gateway; it's on disk when this returns. */
  readonly add: (
    message: NewMessage
  ) => Effect.Effect<TakenMessage, EmptyMessage | AttachmentsTooLarge | OutboxFull | UnknownGateway | StoreError>
  /** Changes a message that waits or failed. */
  readonly change: (
    id: string,
    change: MessageChange
  ) => Effect.Effect<OutboxItem, EmptyMessage | MessageNotFound | MessageOnItsWay | StoreError>
  /** What comes with a message, by its place there. */
  readonly attachment: (id: string, index: number) => Effect.Effect<StoredAttachment, MessageNotFound | StoreError>
  /** Takes a message back. */
  readonly remove: (id: string) => Effect.Effect<void, MessageNotFound | MessageOnItsWay | StoreError>
  /** Decides about a message that failed, or of which nobody knows whether it arrived. */
  readonly resolve: (
    id: string,
    decision: MessageDecision
  ) => Effect.Effect<void, MessageNotFound | MessageOnItsWay | StoreError>
}

/** A message that is done with, as a repeated request finds it. */
const doneItem = (
  { id, mode }: NewMessage,
  { createdAt, gatewayId, sessionKey }: OutboxSession & { readonly createdAt: number }
): OutboxItem => ({ id, gatewayId, sessionKey, text: "", mode, position: 0, createdAt, state: "handed", runId: id })

const isSameSession = (one: OutboxSession | undefined, other: OutboxSession): boolean =>
  one?.gatewayId === other.gatewayId && one.sessionKey === other.sessionKey

const isOnItsWay = ({ state }: StoredMessage): boolean => state === "sending" || state === "handed"

const shown = (db: SqlConnection, message: StoredMessage): OutboxItem => {
  const position = messagesOf(db, message).findIndex(({ id }) => id === message.id)
  return shownMessage(db, message, position)
}

/** The message, if it's one that a person can still do something about. */
const open = (
  db: SqlConnection,
  id: string,
  isOpen: (message: StoredMessage) => boolean
): Result.Result<StoredMessage, MessageNotFound | MessageOnItsWay> => {
  const found = findMessage(db, id)
  if (found === undefined) return Result.fail(new MessageNotFound({ id }))
  return isOpen(found) ? Result.succeed(found) : Result.fail(new MessageOnItsWay({ item: shown(db, found) }))
}

/** Messages to agents: they belong to the console from the moment it has them, and are handed over in their order. */
export class Outbox extends Context.Service<Outbox, OutboxShape>()("agent-console/services/outbox/Outbox") {
  static readonly layer = Layer.effect(
    Outbox,
    Effect.gen(function* () {
      const sqlite = yield* Sqlite
      const bus = yield* EventBus
      const every = yield* EveryGateway
      const answering = yield* Answering
      const ledger = yield* makeOutboxLedger(sqlite, bus)
      const deliveries = yield* every.each(
        Effect.fnUntraced(function* ({ client, feed, id }) {
          const delivery = yield* makeDelivery({ gateway: client, gatewayId: id, ledger })
          yield* feed.follow(delivery.hear)
          yield* Effect.forkScoped(Effect.andThen(answering.wait, delivery.pump))
          return delivery
        })
      )
      const look = ({ gatewayId, sessionKey }: OutboxSession) =>
        deliveries.get(gatewayId)?.look(sessionKey) ?? Effect.void
      // Another gateway that gets the same id one day must not be sent what was meant for this one.
      yield* every.onRemoved((gatewayId) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          ledger.change((db) => {
            const all = [...MEANT].flatMap(([state, next]) =>
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
        const { attachments = [], id, mode, notBefore, sessionKey, text } = message
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
          createdAt,
          state: "waiting",
          runId: id,
          error: undefined,
          sentAt: undefined,
          gatewayStartedAt: undefined
        }
        let known: OutboxItem | undefined
        const [item] = yield* ledger.change((db): Result.Result<ReadonlyArray<OutboxItem>, OutboxFull> => {
          const done = findDone(db, id)
          const found = findMessage(db, id)
          if (done !== undefined) known = doneItem(message, done)
          if (found !== undefined) known = shown(db, found)
          if (known !== undefined) return Result.succeed([])
          if (countWaiting(db, stored) >= MAX_WAITING) return Result.fail(new OutboxFull({ of: "session" }))
          if (bytesKept(db) + bytes > MAX_OUTBOX_BYTES) return Result.fail(new OutboxFull({ of: "console" }))
          insertMessage(db, stored, files, bytes)
          return Result.succeed([shown(db, stored)])
        })
        yield* look(stored)
        const taken = item ?? known
        return taken === undefined
          ? yield* Effect.die("a message was neither stored nor known")
          : { item: taken, isNew: item !== undefined }
      })

      const change: OutboxShape["change"] = Effect.fn("Outbox.change")(function* (id, { position, ...fields }) {
        const [item] = yield* ledger.change(
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
                return Result.succeed([shown(db, next)])
              }
            ),
          fields.text !== undefined
        )
        if (item === undefined) return yield* new MessageNotFound({ id })
        yield* look(item)
        return item
      })

      /** Ends a message, or sends it again. */
      const settle = Effect.fnUntraced(function* (
        id: string,
        isOpen: (message: StoredMessage) => boolean,
        next: (message: StoredMessage) => StoredMessage | undefined
      ) {
        const now = yield* Clock.currentTimeMillis
        const [found] = yield* ledger.change((db) =>
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
            // A gateway that refused it would refuse its id again; one that may have it won't run the same id twice.
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
              return shownMessage(db, message, position)
            })
          }),
        add,
        change,
        attachment,
        remove,
        resolve
      })
    })
  )
}
