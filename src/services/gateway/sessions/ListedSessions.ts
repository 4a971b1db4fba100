import { Clock, Effect, Option, Schema, type Scope, Semaphore } from "effect"
import type { GatewayClientShape } from "../client/GatewayClient.ts"
import type { GatewayError } from "../client/GatewayError.ts"
import { ListedSession } from "./listedSession.ts"
import { PROTOCOL_WITH_PAGES } from "./sessionSchemas.ts"

/** Sessions that are read at once. */
export const LISTED = 500
/** Rows of a search by key, which also finds keys that only contain it. */
const FOUND = 100

/** Titles and last words are only in a row that's asked for with them. */
const WITH_TEXTS = { includeDerivedTitles: true, includeLastMessage: true } as const

/** The sessions that a gateway listed. */
export interface SessionListing {
  /** The gateway's clock, in epoch milliseconds. */
  readonly ts: number | undefined
  /** The console's clock when it answered. */
  readonly readAt: number
  /** It has more than these. */
  readonly hasMore: boolean
  /** The latest changed first. */
  readonly rows: ReadonlyArray<ListedSession>
}

export interface ListedSessions {
  /** The sessions as the gateway lists them on this connection: read once, for all that want them. */
  readonly read: Effect.Effect<SessionListing, GatewayError>
  /** So many of them anew, for who wants more; newer gateways have those that were archived in a list of their own. */
  readonly readMore: (
    limit: number,
    options?: { readonly archived: boolean }
  ) => Effect.Effect<SessionListing, GatewayError>
  /** One of them as it is now, also an archived one. */
  readonly find: (key: string) => Effect.Effect<ListedSession | undefined, GatewayError>
}

const Page = Schema.Struct({
  ts: Schema.optionalKey(Schema.Finite),
  hasMore: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  sessions: Schema.Array(Schema.Unknown)
})
const decodeRow = Schema.decodeUnknownOption(ListedSession)

type Ask = Pick<GatewayClientShape, "connection" | "request" | "tap">

/** Whether a gateway lists archived sessions apart. */
const isArchiveApart = (gateway: Pick<Ask, "connection">) =>
  Effect.map(gateway.connection, (connection) => (connection?.protocol ?? 0) >= PROTOCOL_WITH_PAGES)

/** Reads a gateway's list once per connection, and again after a gap in its events. */
export const makeListedSessions = Effect.fnUntraced(function* (
  gateway: Ask
): Effect.fn.Return<ListedSessions, never, Scope.Scope> {
  const turn = yield* Semaphore.make(1)
  let kept: SessionListing | undefined
  let linkCount = 0
  const forget = () => {
    kept = undefined
    linkCount += 1
  }
  yield* gateway.tap({ linked: forget, gap: forget, down: forget })

  const ask = Effect.fnUntraced(function* (params: object, limit: number) {
    // A person may wait for it, so it isn't a background call, which would wait for calls that wait for a run.
    const found = yield* gateway.request("sessions.list", { limit, ...WITH_TEXTS, ...params }, Page)
    const rows = found.sessions.flatMap((row) => Option.toArray(decodeRow(row)))
    // Older gateways don't say.
    const hasMore = found.hasMore ?? found.sessions.length >= limit
    return { ts: found.ts, readAt: yield* Clock.currentTimeMillis, hasMore, rows } satisfies SessionListing
  })

  const read = Effect.suspend(() => {
    if (kept !== undefined) return Effect.succeed(kept)
    const link = linkCount
    return Effect.tap(ask({}, LISTED), (listing) =>
      Effect.sync(() => {
        if (link === linkCount) kept = listing
      })
    )
  }).pipe(turn.withPermit)

  return {
    read,
    readMore: (limit, { archived = false } = { archived: false }) => ask(archived ? { archived } : {}, limit),
    find: Effect.fnUntraced(function* (key) {
      for (const archived of (yield* isArchiveApart(gateway)) ? [false, true] : [false]) {
        const { rows } = yield* ask({ search: key, ...(archived ? { archived } : {}) }, FOUND)
        const row = rows.find((one) => one.key === key)
        if (row !== undefined) return row
      }
      return undefined
    })
  }
})
