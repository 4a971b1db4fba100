import { Clock, Effect, Option, Queue, Result, Schema, type Scope } from "effect"
import { titleOfMessage } from "../../contract/sessionTitle.ts"
import type { GatewayClientShape } from "../gateway/client/GatewayClient.ts"
import type { GatewayError } from "../gateway/client/GatewayError.ts"
import type { ListedSession } from "../gateway/sessions/listedSession.ts"
import type { SqlConnection, SqliteShape } from "../platform/sqlite/Sqlite.ts"
import { allTitles, removeTitle, saveTitle } from "./firstWordsTable.ts"

/** How many messages at the start of a conversation are searched for a person's first words. */
const HEAD = 20
/** The most an older gateway returns of a history, counted from its end. */
const HISTORY_LIMIT = 1_000
const MAX_CHARS = 1_000
/** Sessions that are looked up in one go; new ones don't wait for all others. */
const AT_ONCE = 60
const PROTOCOL_WITH_OFFSETS = 4
const BACKGROUND = { background: true } as const

const TextPart = Schema.Struct({ text: Schema.optionalKey(Schema.String) })
const Said = Schema.Struct({
  role: Schema.String,
  content: Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(TextPart)])),
  /** Another program wrote it. */
  provenance: Schema.optionalKey(Schema.Unknown),
  __openclaw: Schema.optionalKey(Schema.Struct({ seq: Schema.optionalKey(Schema.Unknown) }))
})
type Said = typeof Said.Type
const decodeSaid = Schema.decodeUnknownOption(Said)

const History = Schema.Struct({
  messages: Schema.optionalKey(Schema.Array(Schema.Unknown)),
  hasMore: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  totalMessages: Schema.optionalKey(Schema.NullOr(Schema.Finite))
})

const textOf = ({ content = "" }: Said): string =>
  typeof content === "string" ? content : content.map(({ text = "" }) => text).join("\n")

/** The title that a person's message gives its conversation. */
export const titleOfSaid = (message: unknown): string | undefined => {
  const said = Option.getOrUndefined(decodeSaid(message))
  if (said?.role !== "user" || (said.provenance !== undefined && said.provenance !== null)) return undefined
  return titleOfMessage(textOf(said)) ?? undefined
}

const seqOf = (message: unknown): number => {
  const seq = Option.getOrUndefined(decodeSaid(message))?.__openclaw?.seq
  return typeof seq === "number" ? seq : 1
}

/** The first words of a conversation, or of the oldest part of it that one answer can hold. */
const readFirstWords = Effect.fnUntraced(function* (gateway: GatewayClientShape, sessionKey: string) {
  const isNew = ((yield* gateway.connection)?.protocol ?? 0) >= PROTOCOL_WITH_OFFSETS
  const bounds = isNew ? { maxChars: MAX_CHARS } : {}
  const read = (params: object) =>
    gateway.request("chat.history", { sessionKey, ...bounds, ...params }, History, BACKGROUND)
  const end = yield* read({ limit: HEAD })
  const before = seqOf(end.messages?.[0]) - 1
  const limit = Math.min(HISTORY_LIMIT, before + HEAD)
  const isCut = isNew ? end.hasMore === true : before > 0
  const start = isNew ? { limit: HEAD, offset: Math.max(0, (end.totalMessages ?? 0) - HEAD) } : { limit }
  const { messages = [] } = isCut ? yield* read(start) : end
  return messages.map(titleOfSaid).find((title) => title !== undefined)
})

/** Titles of all gateways' sessions that have none of their gateway. */
export interface Titles {
  readonly get: (gatewayId: string, sessionId: string) => string | undefined
  readonly set: (gatewayId: string, sessionId: string, title: string) => void
  readonly remove: (gatewayId: string, sessionId: string) => void
}

/** The titles, kept in the database soon after they're found; those it couldn't keep are found again after a restart. */
export const makeTitles = Effect.fnUntraced(function* (
  sqlite: SqliteShape
): Effect.fn.Return<Titles, never, Scope.Scope> {
  const stored = yield* Effect.orElseSucceed(sqlite.read(allTitles), () => [])
  const nameOf = (gatewayId: string, id: string) => `${gatewayId} ${id}`
  const titles = new Map(stored.map(([gatewayId, id, title]) => [nameOf(gatewayId, id), title]))
  const writes = yield* Queue.unbounded<(db: SqlConnection, at: number) => void>()
  yield* Queue.take(writes).pipe(
    Effect.zip(Clock.currentTimeMillis),
    Effect.flatMap(([write, at]) => Effect.ignore(sqlite.transaction((db) => Result.succeed(write(db, at))))),
    Effect.forever,
    Effect.forkScoped
  )
  return {
    get: (gatewayId, id) => titles.get(nameOf(gatewayId, id)),
    set: (gatewayId, id, title) => {
      titles.set(nameOf(gatewayId, id), title)
      Queue.offerUnsafe(writes, (db, at) => saveTitle(db, gatewayId, id, title, at))
    },
    remove: (gatewayId, id) => {
      if (titles.delete(nameOf(gatewayId, id))) Queue.offerUnsafe(writes, (db) => removeTitle(db, gatewayId, id))
    }
  }
})

/** The first words of one gateway's conversations. */
export interface FirstWords {
  readonly get: (sessionId: string) => string | undefined
  /** A message was said in a session. */
  readonly hear: (sessionId: string, message: unknown) => void
  /** The conversation starts over under the same id. */
  readonly forget: (sessionId: string) => void
  /** Looks up the titles of the first of these sessions that have none, instead of those that are still to be looked up. */
  readonly want: (rows: ReadonlyArray<ListedSession>) => void
}

/** A name for how a conversation stands: while it runs, its row changes without anything new. */
const stampOf = ({ hasActiveRun, startedAt, status, updatedAt }: ListedSession): number =>
  (hasActiveRun ?? status === "running") ? (startedAt ?? 0) : (updatedAt ?? 0)

/** Finds the first words of a gateway's conversations, one after the other, once each. */
export const makeFirstWords = Effect.fnUntraced(function* (
  gatewayId: string,
  gateway: GatewayClientShape,
  titles: Titles,
  onFound: (sessionKey: string) => void
): Effect.fn.Return<FirstWords, never, Scope.Scope> {
  /** As they were heard; those of the history replace them. */
  const heard = new Map<string, string>()
  /** What was looked up, and how it stood then. */
  const asked = new Map<string, number>()
  const wanted = yield* Queue.sliding<ReadonlyArray<ListedSession>>(1)

  const isOpen = (row: ListedSession): row is ListedSession & { readonly sessionId: string } =>
    typeof row.sessionId === "string" &&
    titles.get(gatewayId, row.sessionId) === undefined &&
    asked.get(row.sessionId) !== stampOf(row)

  const lookUp = Effect.fnUntraced(function* (row: ListedSession): Effect.fn.Return<void, GatewayError> {
    if (!isOpen(row)) return
    asked.set(row.sessionId, stampOf(row))
    const title = yield* readFirstWords(gateway, row.key)
    if (title === undefined) return
    heard.delete(row.sessionId)
    titles.set(gatewayId, row.sessionId, title)
    onFound(row.key)
  })

  yield* gateway.tap({ linked: () => asked.clear() })
  yield* Queue.take(wanted).pipe(
    Effect.flatMap((rows) => Effect.forEach(rows, (row) => Effect.ignore(lookUp(row)), { discard: true })),
    Effect.forever,
    Effect.forkScoped
  )

  return {
    get: (id) => titles.get(gatewayId, id) ?? heard.get(id),
    hear: (id, message) => {
      if (titles.get(gatewayId, id) !== undefined || heard.has(id)) return
      const title = titleOfSaid(message)
      if (title !== undefined) heard.set(id, title)
    },
    forget: (id) => {
      heard.delete(id)
      asked.delete(id)
      titles.remove(gatewayId, id)
    },
    want: (rows) => {
      const open = rows.filter(isOpen).slice(0, AT_ONCE)
      if (open.length > 0) Queue.offerUnsafe(wanted, open)
    }
  }
})
