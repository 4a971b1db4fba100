import { Clock, Context, Effect, Layer, Result, Schema } from "effect"
import { failure } from "../../contract/failures.ts"
import { fieldsOf } from "../../contract/looseFields.ts"
import type { ConversationItem } from "../../contract/schema/conversation.ts"
import { failureFields } from "../../contract/schema/failure.ts"
import type { AskAgain, AskedAgain, Regenerate, VersionChoice } from "../../contract/schema/messageActions.ts"
import type { GatewayError } from "../gateway/client/GatewayError.ts"
import { UnknownGateway } from "../gateway/registry/gatewayEntry.ts"
import { abilitiesOf } from "../gateway/registry/liveEntry.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { type AttachmentsTooLarge, EmptyMessage, type OutboxFull } from "../outbox/outboxMessage.ts"
import { optionalEntry } from "../platform/optionalEntry.ts"
import { Sqlite, type StoreError } from "../platform/sqlite/Sqlite.ts"
import {
  type AskingState,
  findAsking,
  forgetAsking,
  forgetAskings,
  type Picture,
  type RepeatedQuestion,
  saveAnswer,
  saveQuestion
} from "./askedAgainTable.ts"
import { Conversations, type OpenedConversation } from "./Conversations.ts"
import type { MessageTooLong } from "./historyReading.ts"
import { unpackCursor } from "./olderCursor.ts"
import { shownEntry } from "./shownItem.ts"
import { editorImages, removedEntries } from "./turn/askAgain.ts"
import { askedLast } from "./turn/askedLast.ts"
import { isRunning } from "./turn/Conversation.ts"
import { messageOf } from "./turn/olderPages.ts"
import type { Entry } from "./turn/timeline.ts"

/** How long the answers to requests are known. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000

/** A response is running, so nothing before it can be asked again. */
export class ResponseRunning extends Schema.TaggedError<ResponseRunning>()("ResponseRunning", {}) {}

/** The conversation has no such message of a person. */
export class QuestionNotFound extends Schema.TaggedError<QuestionNotFound>()("QuestionNotFound", {}) {}

/** There's no question that could get another response. */
export class NothingToRegenerate extends Schema.TaggedError<NothingToRegenerate>()(
  "NothingToRegenerate",
  failureFields
) {}

/** The session's gateway keeps no versions of a conversation. */
export class NoVersions extends Schema.TaggedError<NoVersions>()("NoVersions", {}) {}

type MessageError = AttachmentsTooLarge | EmptyMessage | OutboxFull | StoreError
type AskingError = MessageError | MessageTooLong | QuestionNotFound | ResponseRunning | UnknownGateway | GatewayError

export interface ConversationCommandsShape {
  /**
   * Asks a question again, with other words if given: a gateway that can removes it and what followed first, otherwise
   * it's repeated at the end. A repeated request returns the first answer.
   */
  readonly askAgain: (request: AskAgain) => Effect.Effect<AskedAgain, AskingError>
  /** Asks for another response to the last question; the same otherwise. */
  readonly regenerate: (request: Regenerate) => Effect.Effect<AskedAgain, AskingError | NothingToRegenerate>
  /** Goes on with another version of a conversation, by one of its `tips`. */
  readonly switchTo: (choice: VersionChoice) => Effect.Effect<void, NoVersions | UnknownGateway | GatewayError>
}

/** A question that was found in a conversation. */
interface Found {
  /** Its entry, if the conversation holds it. */
  readonly entry: Entry | undefined
  readonly item: Extract<ConversationItem, { kind: "user" }>
  /** What comes after it before the conversation's held items, the question first. */
  readonly older: ReadonlyArray<ConversationItem>
}

/** Whether the gateway may have carried out a call that failed. */
const mayBeDone = ({ reason }: GatewayError): boolean =>
  reason === "unreachable" || reason === "timeout" || reason === "shape"

/** What a person asks of a conversation, beside new messages. */
export class ConversationCommands extends Context.Service<ConversationCommands, ConversationCommandsShape>()(
  "agent-console/services/conversations/ConversationCommands"
) {
  static readonly layer = Layer.effect(
    ConversationCommands,
    Effect.gen(function* () {
      const conversations = yield* Conversations
      const outbox = yield* Outbox
      const sqlite = yield* Sqlite
      yield* Effect.flatMap(Clock.currentTimeMillis, (now) =>
        sqlite.transaction((db) => Result.succeed(forgetAskings(db, now - KEPT_MS)))
      ).pipe(Effect.ignore({ log: "Warn" }))

      const stored = Effect.fnUntraced(function* (id: string): Effect.fn.Return<AskingState | undefined, StoreError> {
        const asking = yield* sqlite.read((db) => findAsking(db, id))
        if (asking !== undefined) return asking
        const item = yield* outbox.known(id)
        return item === undefined ? undefined : { type: "done", answer: { item } }
      })
      const save = Effect.fnUntraced(function* (id: string, question: RepeatedQuestion) {
        const now = yield* Clock.currentTimeMillis
        yield* sqlite.transaction((db) => Result.succeed(saveQuestion(db, id, question, now)))
      })

      const checkIdle = ({ conversation, gateway, key }: OpenedConversation) =>
        isRunning(conversation.state) || gateway.activity.isBusy(key) ? Effect.fail(new ResponseRunning()) : Effect.void

      /** Gives the question to the outbox, and stores the answer to the request. */
      const send = Effect.fnUntraced(function* (
        id: string,
        { gateway, key }: OpenedConversation,
        { pictures, removed, text }: Pick<RepeatedQuestion, "pictures" | "removed" | "text">
      ): Effect.fn.Return<AskedAgain, MessageError | UnknownGateway> {
        const { item } = yield* outbox
          .add({
            id,
            gatewayId: gateway.id,
            sessionKey: key,
            text,
            mode: "next",
            ...(pictures.length === 0 ? {} : { attachments: pictures })
          })
          .pipe(Effect.catchTag("UnknownGateway", () => Effect.fail(new UnknownGateway({ id: gateway.id }))))
        const answer: AskedAgain = { item, ...optionalEntry("removed", removed) }
        const now = yield* Clock.currentTimeMillis
        yield* sqlite.transaction((db) => Result.succeed(saveAnswer(db, id, answer, now)))
        return answer
      })

      /** Has the gateway remove the question, then asks it again. */
      const rewind = Effect.fnUntraced(function* (id: string, opened: OpenedConversation, question: RepeatedQuestion) {
        const { conversation, gateway, key } = opened
        yield* save(id, question)
        const params = { sessionKey: key, entryId: question.entryId }
        const answer = yield* gateway.client.request("sessions.rewind", params, Schema.Unknown).pipe(
          Effect.tapError((error) =>
            mayBeDone(error) ? Effect.void : sqlite.transaction((db) => Result.succeed(forgetAsking(db, id)))
          ),
          Effect.catchIf(
            (error) => error._tag === "GatewayError" && error.reason === "invalid",
            () => Effect.fail(new QuestionNotFound())
          ),
          Effect.tapError(() => checkIdle(opened))
        )
        conversation.removedFrom(question.key)
        const pictures =
          question.pictures.length > 0
            ? question.pictures
            : editorImages(fieldsOf(answer)).map(
                ({ content, fileName, mimeType }): Picture => ({ name: fileName, type: mimeType, data: content })
              )
        const removed = { ...question, pictures, isRemoved: true }
        yield* save(id, removed)
        return yield* send(id, opened, removed)
      })

      /** Goes on with a request that was cut off. */
      const resume = Effect.fnUntraced(function* (id: string, opened: OpenedConversation, question: RepeatedQuestion) {
        if (question.isRemoved) return yield* send(id, opened, question)
        yield* opened.conversation.reread
        const found = yield* find(opened, { messageId: messageOf(question.entryId) })
        if (found === undefined) return yield* send(id, opened, question)
        yield* checkIdle(opened)
        return yield* rewind(id, opened, { ...question, key: found.entry?.item.key ?? null })
      })

      /** A message of a person, by its key or its id in the history; also one before those that are held. */
      const find = Effect.fnUntraced(function* (
        { conversation, gateway, sessionKey }: OpenedConversation,
        { key, messageId }: Pick<AskAgain, "key" | "messageId">
      ): Effect.fn.Return<Found | undefined, UnknownGateway | GatewayError> {
        const entry = conversation.state.timeline.find(({ item, source }) =>
          key === undefined
            ? item.kind === "user" && source !== null && messageOf(source) === messageId
            : item.key === key
        )
        if (entry !== undefined) {
          const item = shownEntry(gateway.id, entry)
          return item.kind === "user" ? { entry, item, older: [] } : undefined
        }
        let older: ReadonlyArray<ConversationItem> = []
        let before = conversation.current().state.head.older ?? null
        while (before !== null) {
          const cursor = unpackCursor(before)
          if (cursor === undefined) return undefined
          const page = yield* conversations.older(sessionKey, cursor, undefined)
          const at = page.items.findIndex((item) =>
            key === undefined ? item.kind === "user" && item.messageId === messageId : item.key === key
          )
          const item = page.items[at]
          if (item?.kind === "user") return { entry: undefined, item, older: [...page.items.slice(at), ...older] }
          if (at >= 0) return undefined
          older = [...page.items, ...older]
          before = page.older
        }
        return undefined
      })

      /** The words of a message, all of them where the conversation has only the beginning. */
      const wordsOf = Effect.fnUntraced(function* (
        { sessionKey }: OpenedConversation,
        { cut, messageId, text }: Found["item"]
      ) {
        if (cut !== true || messageId === undefined) return text
        const items = yield* conversations.message(sessionKey, messageId)
        return items?.find((item) => item.kind === "user")?.text ?? text
      })

      /** The attachments of a message that the outbox still has. */
      const attachmentsOf = Effect.fnUntraced(function* (
        outboxId: string | undefined,
        { gateway, key }: OpenedConversation
      ) {
        const items = yield* outbox.list({ gatewayId: gateway.id, sessionKey: key })
        const { attachments = [] } = items.find(({ id }) => id === outboxId) ?? {}
        const read = (index: number) =>
          Effect.map(
            outbox.attachment(outboxId ?? "", index),
            ({ content, name, type }): Picture => ({ name, type, data: Buffer.from(content).toString("base64") })
          )
        return yield* Effect.forEach(attachments, (_, index) => read(index)).pipe(
          Effect.catchTag("MessageNotFound", () => Effect.succeed([]))
        )
      })

      /** Asks a question again that was found; the words may be others. */
      const ask = Effect.fnUntraced(function* (
        id: string,
        opened: OpenedConversation,
        { entry, item, older }: Found,
        text: string | undefined
      ) {
        const { conversation, gateway } = opened
        const words = text ?? (yield* wordsOf(opened, item))
        const pictures = yield* attachmentsOf(item.outboxId, opened)
        if (words.trim() === "" && pictures.length === 0 && item.media.length === 0) return yield* new EmptyMessage()
        const can = abilitiesOf(yield* gateway.client.connection)
        const entryId = entry === undefined ? item.messageId : entry.source
        if (!can.rewind || entryId == null) return yield* send(id, opened, { text: words, pictures })
        const held = removedEntries(conversation.state, entry?.item.key ?? null)
        const removed = [...older, ...held.map((one) => shownEntry(gateway.id, one))]
        return yield* rewind(id, opened, {
          key: entry?.item.key ?? null,
          entryId,
          text: words,
          pictures,
          ...(can.versions ? {} : { removed }),
          isRemoved: false
        })
      })

      /** Runs a request once: a repeated one gets the first answer, and one that was cut off goes on. */
      const once = Effect.fnUntraced(function* <E>(
        { id, sessionKey }: Regenerate,
        act: (opened: OpenedConversation) => Effect.Effect<AskedAgain, E>
      ) {
        const known = yield* stored(id)
        if (known?.type === "done") return known.answer
        const opened = yield* conversations.open(sessionKey)
        return yield* Effect.gen(function* () {
          const asking = yield* stored(id)
          if (asking?.type === "done") return asking.answer
          return yield* asking === undefined ? act(opened) : resume(id, opened, asking.question)
        }).pipe(Effect.uninterruptible, opened.conversation.alone)
      })

      const askAgain: ConversationCommandsShape["askAgain"] = Effect.fn("ConversationCommands.askAgain")(
        function* (request) {
          const { id, text } = request
          return yield* once(request, (opened) =>
            Effect.gen(function* () {
              const found = yield* find(opened, request)
              if (found === undefined) return yield* new QuestionNotFound()
              yield* checkIdle(opened)
              return yield* ask(id, opened, found, text)
            })
          )
        }
      )

      const regenerate: ConversationCommandsShape["regenerate"] = Effect.fn("ConversationCommands.regenerate")(
        function* (request) {
          const { id } = request
          return yield* once(request, (opened) =>
            Effect.gen(function* () {
              const { conversation } = opened
              const isOnlyHere = ({ item, source }: Entry) =>
                item.kind === "user" && item.delivery === "sent" && source === null
              yield* checkIdle(opened)
              // The history may have it by now; only then can the gateway go back to it.
              if (conversation.state.timeline.some(isOnlyHere)) yield* conversation.reread
              yield* checkIdle(opened)
              const last = askedLast(conversation.state.timeline)
              if (last.how === "no") return yield* new NothingToRegenerate(last.failure)
              const found = yield* find(opened, { key: last.key })
              if (found === undefined) return yield* new NothingToRegenerate(failure("LOST"))
              if (last.how === "ask") {
                const answer = yield* ask(id, opened, found, undefined)
                conversation.drop(last.only)
                return answer
              }
              const { outgoing } = found.entry ?? {}
              const pictures = yield* attachmentsOf(outgoing?.id, opened)
              const answer = yield* send(id, opened, { text: yield* wordsOf(opened, found.item), pictures })
              // The new message takes the place of the one that failed.
              if (outgoing?.state === "failed") yield* Effect.ignore(outbox.remove(outgoing.id))
              conversation.drop([last.key])
              return answer
            })
          )
        }
      )

      const switchTo: ConversationCommandsShape["switchTo"] = Effect.fn("ConversationCommands.switchTo")(function* ({
        leaf,
        sessionKey
      }) {
        const { conversation, gateway, key } = yield* conversations.open(sessionKey)
        if (!abilitiesOf(yield* gateway.client.connection).versions) return yield* new NoVersions()
        const params = { sessionKey: key, leafEntryId: leaf }
        yield* gateway.client.request("sessions.branches.switch", params, Schema.Unknown).pipe(
          Effect.tapError(() => Effect.sync(conversation.versionsMoved)),
          conversation.alone
        )
      })

      return ConversationCommands.of({ askAgain, regenerate, switchTo })
    })
  )
}
