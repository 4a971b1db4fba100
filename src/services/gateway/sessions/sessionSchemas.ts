import { Effect, Schema } from "effect"
import type { GatewayClientShape } from "../client/GatewayClient.ts"
import type { GatewayError } from "../client/GatewayError.ts"

/** The default session. */
export const MAIN_SESSION = "agent:main:main"

const text = Schema.optionalKey(Schema.NullOr(Schema.String))

const inForce = { modelProvider: text, model: text, thinkingLevel: text, thinkingDefault: text }

/** Model and thinking level in a `sessions.list` row or its defaults. */
export const SessionFacts = Schema.Struct(inForce)
export type SessionFacts = typeof SessionFacts.Type

/** Answer to `sessions.list`. */
export const SessionList = Schema.Struct({
  defaults: Schema.optionalKey(SessionFacts),
  sessions: Schema.Array(Schema.Struct({ key: Schema.String, ...inForce }))
})
export type SessionList = typeof SessionList.Type

/**
 * What `chat.history` contains besides messages: the current level (older gateways) or the session's row (newer ones).
 */
export const HistoryFacts = Schema.Struct({ thinkingLevel: text, sessionInfo: Schema.optionalKey(SessionFacts) })
export type HistoryFacts = typeof HistoryFacts.Type

/** Answer to `sessions.patch`; older gateways only have the level in the entry. */
export const PatchedSession = Schema.Struct({
  entry: Schema.optionalKey(Schema.Struct({ thinkingLevel: text })),
  resolved: SessionFacts
})

/** Output of the `session_status` tool: text for people. */
export const SessionStatus = Schema.Struct({ statusText: Schema.String })

/** Newer gateways list so many sessions at a time; older ones all at once, since they can't go on from somewhere. */
const PAGE = 500
/** Since this generation of the wire protocol, lists go on from somewhere, and archived sessions are in one of their own. */
export const PROTOCOL_WITH_PAGES = 4
/** Up to so many sessions are asked for one by one, more by going through all. */
const ONE_BY_ONE = 4

type Ask = Pick<GatewayClientShape, "connection" | "request">

interface Listing<A> {
  /** The gateway's clock, in epoch milliseconds. */
  readonly ts: number | undefined
  /** The latest changed first. */
  readonly rows: ReadonlyArray<A>
}

/** The gateway's sessions as `row` reads them, until `isEnough` of those read so far or there are no more. */
export const sessionRows = Effect.fnUntraced(function* <A>(
  gateway: Ask,
  row: Schema.Decoder<A>,
  {
    isEnough,
    isBackground = false,
    search
  }: {
    readonly isEnough: (rows: ReadonlyArray<A>) => boolean
    readonly isBackground?: boolean
    readonly search?: string
  }
): Effect.fn.Return<Listing<A>, GatewayError> {
  const Page = Schema.Struct({
    ts: Schema.optionalKey(Schema.Finite),
    hasMore: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
    sessions: Schema.Array(row)
  })
  const isPaged = ((yield* gateway.connection)?.protocol ?? 0) >= PROTOCOL_WITH_PAGES
  const wanted = search === undefined ? {} : { search }
  const rows: Array<A> = []
  let first: number | undefined
  for (;;) {
    const page = isPaged ? { limit: PAGE, offset: rows.length } : {}
    const options = isBackground ? { background: true } : {}
    const { hasMore, sessions, ts } = yield* gateway.request("sessions.list", { ...wanted, ...page }, Page, options)
    first ??= ts
    rows.push(...sessions)
    if (!isPaged || hasMore !== true || sessions.length === 0 || isEnough(rows)) return { ts: first, rows }
  }
})

/** The rows of these sessions, however many others there are; one that doesn't exist has none. */
export const rowsOf = Effect.fnUntraced(function* <A extends { readonly key: string }>(
  gateway: Ask,
  row: Schema.Decoder<A>,
  keys: ReadonlySet<string>
): Effect.fn.Return<ReadonlyArray<A>, GatewayError> {
  const found = (rows: ReadonlyArray<A>, wanted: ReadonlySet<string>) => rows.filter(({ key }) => wanted.has(key))
  const read = (wanted: ReadonlySet<string>, search: { readonly search?: string }) =>
    Effect.map(
      sessionRows(gateway, row, { ...search, isEnough: (rows) => found(rows, wanted).length >= wanted.size }),
      ({ rows }) => found(rows, wanted)
    )
  if (keys.size > ONE_BY_ONE) return yield* read(keys, {})
  // A search by key also finds the keys that only contain it.
  return (yield* Effect.forEach(keys, (key) => read(new Set([key]), { search: key }))).flat()
})
