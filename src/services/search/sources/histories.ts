import { type Duration, Effect, Schema } from "effect"
import type { GatewayClientShape } from "../../gateway/client/GatewayClient.ts"
import { type FeedMessage, readHistoryMessage } from "../../gateway/feed/feedMessage.ts"
import type { LinkedGateway } from "../../gateway/registry/EveryGateway.ts"
import type { AskSearch } from "../SearchThread.ts"
import { conversation, type SearchEntry } from "../searchTypes.ts"
import { conversationTitle, isLeftOut, messageText, searchRole } from "../text/conversationText.ts"

/** The entry of a gateway's message; `undefined` for messages that conversations don't show. */
export const messageEntry = (
  gatewayId: string,
  { sessionKey, id, at, message }: FeedMessage
): SearchEntry | undefined => {
  const role = searchRole(message.role)
  if (role === undefined || isLeftOut(message.content)) return undefined
  const text = messageText(role, message.content)
  if (text.trim() === "") return undefined
  return { place: conversation(gatewayId, sessionKey), key: id, at, role, text, stamp: "" }
}

/** Whether the gateway sent only a part of it. */
export const isIncomplete = ({ isCut, message }: FeedMessage): boolean => isCut || isLeftOut(message.content)

/** Conversations that are listed, or named in the index, at a time. */
const SESSIONS = 500
const MESSAGES = 200
/** Newer gateways shorten texts by default and accept no higher limit than this. */
const MAX_CHARS = 500_000
const PAUSE = "25 millis"
const BACKGROUND = { background: true, timeout: "30 seconds" } as const
/** A message has the time at which its response began, which may be long before it's stored. */
const LONGEST_RESPONSE_MS = 60 * 60 * 1000

const Text = Schema.optionalKey(Schema.NullOr(Schema.String))
const Sessions = Schema.Struct({
  hasMore: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  sessions: Schema.Array(
    Schema.Struct({
      key: Schema.String,
      updatedAt: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
      label: Text,
      displayName: Text,
      derivedTitle: Text
    })
  )
})
type Row = (typeof Sessions.Type)["sessions"][number]

const History = Schema.Struct({
  messages: Schema.optionalKey(Schema.Array(Schema.Unknown)),
  hasMore: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
})
const WholeMessage = Schema.Struct({ message: Schema.optionalKey(Schema.Unknown) })

interface HistoriesOptions {
  readonly gateway: Pick<GatewayClientShape, "request">
  readonly gatewayId: string
  readonly ask: AskSearch
  /** Whether a conversation was deleted since this reading began. */
  readonly isDeleted: (sessionKey: string) => boolean
  readonly onProgress: (progress: number) => void
  /** The pause between two calls, so that a gateway with many conversations can serve others; shorter in tests. */
  readonly pause?: Duration.Input
}

/** Reads conversations through the gateway, as far as they have changed since they were last read. */
export const makeHistories = (options: HistoriesOptions) => {
  const { gateway, gatewayId, ask, isDeleted, onProgress, pause = PAUSE } = options
  const call = <A>(method: string, params: object, payload: Schema.Decoder<A>) =>
    Effect.delay(gateway.request(method, params, payload, BACKGROUND), pause)

  const listOf = Effect.fnUntraced(function* (isNew: boolean, archived: boolean) {
    const rows: Array<Row> = []
    for (;;) {
      const page = isNew ? { limit: SESSIONS, offset: rows.length, archived } : {}
      const { hasMore, sessions } = yield* call("sessions.list", { includeDerivedTitles: true, ...page }, Sessions)
      rows.push(...sessions)
      if (hasMore !== true || sessions.length === 0) return rows
    }
  })

  const list = Effect.fnUntraced(function* (isNew: boolean) {
    const current = yield* listOf(isNew, false)
    const rows = isNew ? [...current, ...(yield* listOf(isNew, true))] : current
    return [...new Map(rows.map((row) => [row.key, row])).values()]
  })

  const whole = (message: FeedMessage) =>
    isIncomplete(message)
      ? call("chat.message.get", { sessionKey: message.sessionKey, messageId: message.id }, WholeMessage).pipe(
          Effect.map((found) => readHistoryMessage(message.sessionKey, found.message) ?? message),
          Effect.orElseSucceed(() => message)
        )
      : Effect.succeed(message)

  const store = Effect.fnUntraced(function* (key: string, messages: ReadonlyArray<FeedMessage>) {
    const entries = (yield* Effect.forEach(messages, whole)).flatMap(
      (message) => messageEntry(gatewayId, message) ?? []
    )
    if (entries.length > 0 && !isDeleted(key)) yield* ask("put", entries)
  })

  /** Reads a conversation, or its messages since `readTo`; the newest first. */
  const session = Effect.fnUntraced(function* (key: string, updatedAt: number, readTo: number | null, isNew: boolean) {
    const added = yield* ask("nextAdded")
    const keys: Array<string> = []
    for (let offset = 0; ; ) {
      const page = isNew ? { offset, limit: MESSAGES, maxChars: MAX_CHARS } : { limit: 1000 }
      const { hasMore, messages: rows = [] } = yield* call("chat.history", { sessionKey: key, ...page }, History)
      const messages = rows.flatMap((row) => readHistoryMessage(key, row) ?? [])
      yield* store(key, messages)
      for (const { id } of messages) keys.push(id)
      offset += rows.length
      if (hasMore !== true || rows.length === 0) break
      const oldest = messages[0]?.at
      if (readTo !== null && oldest !== undefined && oldest < readTo - LONGEST_RESPONSE_MS) {
        yield* ask("setReadTo", conversation(gatewayId, key), updatedAt)
        return
      }
    }
    if (isDeleted(key)) return
    if (isNew) yield* ask("keepOnly", conversation(gatewayId, key), keys, added)
    yield* ask("setReadTo", conversation(gatewayId, key), updatedAt)
  })

  /** Some conversations exist although the gateway doesn't list them. */
  const forgetIfGone = Effect.fnUntraced(function* (key: string) {
    const { messages = [] } = yield* call("chat.history", { sessionKey: key, limit: 1 }, History)
    if (messages.length === 0) yield* ask("forget", conversation(gatewayId, key))
  })

  return Effect.fn("Search.histories")(function* (isNew: boolean) {
    // Read before the list, because events may add conversations meanwhile.
    const known = yield* ask("conversations", gatewayId)
    const rows = yield* list(isNew)
    const listed = new Set(rows.map(({ key }) => key))
    if (isNew) for (const key of known.keys()) if (!listed.has(key)) yield* forgetIfGone(key)
    const changed = rows
      .map(({ key, updatedAt }) => ({ key, updatedAt: updatedAt ?? 0, readTo: known.get(key) ?? null }))
      .filter(({ readTo, updatedAt }) => readTo === null || updatedAt > readTo)
      .sort((a, b) => b.updatedAt - a.updatedAt)
    for (const [index, { key, readTo, updatedAt }] of changed.entries()) {
      onProgress(index / changed.length)
      if (isDeleted(key)) continue
      yield* session(key, updatedAt, readTo, isNew).pipe(
        // A conversation that can't be read doesn't stop the others.
        Effect.catchIf(
          (error) => error._tag === "GatewayError" && error.reason !== "unreachable" && error.reason !== "timeout",
          ({ message }) => Effect.logWarning(`Couldn't read a conversation for the search: ${message}`)
        )
      )
    }
    const titles = rows.flatMap((row): ReadonlyArray<readonly [string, string]> => {
      const title = conversationTitle(row)
      return title === undefined ? [] : [[row.key, title]]
    })
    for (let from = 0; from < titles.length; from += SESSIONS)
      yield* ask("setTitles", gatewayId, titles.slice(from, from + SESSIONS))
    onProgress(1)
  })
}

/** From this protocol on, conversations can only be read through the gateway. */
const WITHOUT_TRANSCRIPTS = 4

export interface Conversations {
  /** Reads changed conversations through the gateway. */
  readonly read: (ask: AskSearch, onProgress: (progress: number) => void) => Effect.Effect<void, SearchFailure>
  /** Marks a conversation as deleted, so that the messages of a running read aren't stored. */
  readonly noteDeleted: (sessionKey: string) => void
}

type SearchFailure = Effect.Error<ReturnType<AskSearch>>

/** The conversations of a gateway; `isOnDisk` is whether those of an older one are read from files. */
export const gatewayConversations = (
  { client, id }: Pick<LinkedGateway, "client" | "id">,
  isOnDisk: Effect.Effect<boolean>
): Conversations => {
  /** Conversations that were deleted while histories were read. */
  const deleted = new Set<string>()
  return {
    read: Effect.fnUntraced(function* (ask, onProgress) {
      const connection = yield* client.connection
      if (connection === undefined) return
      const isNew = connection.protocol >= WITHOUT_TRANSCRIPTS
      if (!isNew && (yield* isOnDisk)) return
      deleted.clear()
      const isDeleted = (key: string) => deleted.has(key)
      yield* makeHistories({ gateway: client, gatewayId: id, ask, isDeleted, onProgress })(isNew).pipe(
        Effect.catchTag("GatewayError", ({ message }) =>
          Effect.logWarning(`Couldn't read all conversations for the search: ${message}`)
        )
      )
    }),
    noteDeleted: (sessionKey) => {
      deleted.add(sessionKey)
    }
  }
}
