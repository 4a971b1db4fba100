import { Context, Effect, Layer, PubSub, Queue, Result, Schema } from "effect"
import { englishSentence, failure } from "../../contract/failures.ts"
import { keyParts, qualifiedKey } from "../../contract/qualifiedKey.ts"
import type { SessionMark } from "../../contract/schema/session.ts"
import type { ListState, SessionPage, SessionRow, SessionsHead } from "../../contract/schema/sessionRow.ts"
import { GatewayError } from "../gateway/client/GatewayError.ts"
import { EveryGateway } from "../gateway/registry/EveryGateway.ts"
import { UnknownGateway } from "../gateway/registry/gatewayEntry.ts"
import type { ListedSession } from "../gateway/sessions/listedSession.ts"
import { SessionMarks } from "../gateway/sessions/SessionMarks.ts"
import { canonicalKey } from "../gateway/sessions/sessionRules.ts"
import { EventBus } from "../platform/events/EventBus.ts"
import { Sqlite } from "../platform/sqlite/Sqlite.ts"
import { makeTitles } from "./FirstWords.ts"
import { forgetTitles } from "./firstWordsTable.ts"
import { type GatewaySessions, makeGatewaySessions } from "./GatewaySessions.ts"
import { makeInboxFacts } from "./inboxFacts.ts"
import { makeSeenSessions } from "./seenSessions.ts"
import { placeOf, sessionPage, sessionWindow } from "./sessionWindow.ts"

/** The cursor of a page isn't one that the console gave. */
export class DamagedCursor extends Schema.TaggedError<DamagedCursor>()("DamagedCursor", {}) {}

/** Which sessions are shown. */
export interface SessionsQuery {
  readonly limit: number
  /** Only those that were archived, or none of them. */
  readonly archived: boolean
  /** Those of one gateway; of all without it. */
  readonly gateway: string | undefined
}

export interface SessionsView {
  readonly items: ReadonlyArray<SessionRow>
  readonly head: SessionsHead
}

type MayRead = (gatewayId: string) => boolean

export interface SessionListsShape {
  /** Whether there is such a gateway. */
  readonly has: (gatewayId: string) => boolean
  /** The sessions as they are now, of the gateways that may be read. */
  readonly view: (query: SessionsQuery, mayRead: MayRead) => SessionsView
  /** Reads what the gateways have of a query and isn't kept yet. */
  readonly ensure: (query: SessionsQuery, mayRead: MayRead) => Effect.Effect<void>
  /** Calls back after every change, several at once where they come fast; what it returns ends that. */
  readonly onChange: (listener: () => void) => () => void
  /** The same whenever a gateway was removed for good. */
  readonly onRemoved: (listener: (gatewayId: string) => void) => () => void
  /** A person looks at this session now, or at none; `viewer` is where. */
  readonly look: (viewer: object, sessionKey: string | null) => void
  /** A page of the sessions, the latest first. */
  readonly page: (
    query: SessionsQuery & { readonly cursor: string | undefined },
    mayRead: MayRead
  ) => Effect.Effect<SessionPage, DamagedCursor | UnknownGateway | GatewayError>
  /** One session, read again; `isAnew` if its conversation began anew. */
  readonly reread: (
    sessionKey: string,
    options?: { readonly isAnew: boolean }
  ) => Effect.Effect<SessionRow, UnknownGateway | GatewayError>
  /** The gateway's own row of a session, if that is kept. */
  readonly kept: (sessionKey: string) => ListedSession | undefined
}

/** Why no list could be read. */
const unread = ({ why }: ListState): GatewayError => {
  const message = why && englishSentence(why)
  return new GatewayError({
    reason: "unreachable",
    ...(message === undefined ? failure("CONNECTING") : { message, ...(why === undefined ? {} : { why }) })
  })
}

/** Changes come together: the first at once, and what follows after this time. */
const PACE = "100 millis"
/** Titles are looked up when a list has stood still for a moment. */
const TITLES_AFTER = "1 second"
/** How long a page waits for the first list of a gateway. */
const FIRST_LIST = "3 seconds"

/** The sessions of all gateways: one list for all that show it. */
export class SessionLists extends Context.Service<SessionLists, SessionListsShape>()(
  "agent-console/services/sessions/SessionLists"
) {
  static readonly layer = Layer.effect(
    SessionLists,
    Effect.gen(function* () {
      const every = yield* EveryGateway
      const bus = yield* EventBus
      const sqlite = yield* Sqlite
      const sessionMarks = yield* SessionMarks
      const titles = yield* makeTitles(sqlite)
      const seen = yield* makeSeenSessions(sessionMarks)
      const changes = yield* Queue.sliding<void>(1)
      const untitled = yield* Queue.sliding<void>(1)
      const rereads = yield* Queue.unbounded<string>()
      const listeners = new Set<() => void>()
      const removals = new Set<(gatewayId: string) => void>()
      const viewers = new Map<object, string>()
      let looked: ReadonlySet<string> = new Set()
      let marks: ReadonlyMap<string, SessionMark> = new Map()
      let seenSince: ReadonlyMap<string, number> = new Map()

      const changed = () => {
        Queue.offerUnsafe(changes, undefined)
      }
      const touch = (qualified: string) => {
        const { gatewayId, key } = keyParts(qualified)
        lists.get(gatewayId)?.touch(key)
      }
      const facts = yield* makeInboxFacts((keys) => keys.forEach(touch))

      /** Up to when every device knows a session as seen; nothing is news before it's known from when on. */
      const sharedSeenAt = (qualified: string): number =>
        Math.max(seenSince.get(keyParts(qualified).gatewayId) ?? Number.MAX_VALUE, marks.get(qualified)?.seenAt ?? 0)
      const knownOf = (qualified: string, row: ListedSession) => ({
        isWaiting: facts.isWaiting(qualified),
        deniedAt: facts.deniedAt(qualified),
        mark: marks.get(qualified),
        seenAt: row.unread === false ? Number.MAX_VALUE : Math.max(sharedSeenAt(qualified), seen.at(qualified))
      })

      const see = (qualified: string) => {
        if (!looked.has(qualified)) return
        const { gatewayId, key } = keyParts(qualified)
        const row = lists.get(gatewayId)?.listed(key)
        if (row !== undefined && seen.see(qualified, row, sharedSeenAt(qualified))) touch(qualified)
      }

      const readMarks = Effect.map(sessionMarks.all, (known) => {
        marks = new Map(known.marks.map((mark) => [mark.sessionKey, mark]))
        seenSince = new Map(known.seenSince.map(({ at, gatewayId }) => [gatewayId, at]))
        for (const list of lists.values()) list.touchAll()
      }).pipe(Effect.ignore({ log: "Warn" }))

      /** From when on responses are news begins with the first client that asks. */
      const ensureMarks = Effect.suspend(() =>
        [...lists.keys()].every((id) => seenSince.has(id)) ? Effect.void : readMarks
      )

      const always = (gatewayId: string): ReadonlyArray<string> => {
        const pinned = [...marks.values()].flatMap((mark) => (mark.pinned ? [mark.sessionKey] : []))
        return [...looked, ...facts.waiting(), ...pinned].flatMap((qualified) => {
          const parts = keyParts(qualified)
          return parts.gatewayId === gatewayId ? [parts.key] : []
        })
      }

      let lists: ReadonlyMap<string, GatewaySessions> = new Map()
      lists = yield* every.each((gateway) =>
        makeGatewaySessions(gateway, {
          titles,
          knownOf,
          always: () => always(gateway.id),
          onChange: changed,
          onRow: see
        }).pipe(Effect.tap(() => (listeners.size > 0 ? Effect.forkScoped(readMarks) : Effect.void)))
      )
      yield* every.onRemoved((id) =>
        sqlite
          .transaction((db) => Result.succeed(forgetTitles(db, id)))
          .pipe(
            Effect.ignore({ log: "Warn" }),
            Effect.andThen(
              Effect.sync(() => {
                for (const listener of removals) listener(id)
                changed()
              })
            )
          )
      )

      const note = (mark: SessionMark) => {
        marks = new Map([...marks, [mark.sessionKey, mark]])
        touch(mark.sessionKey)
      }
      const events = yield* bus.subscribe
      yield* PubSub.take(events).pipe(
        Effect.flatMap(({ data, event }) => (event === "session.marked" ? Effect.sync(() => note(data)) : Effect.void)),
        Effect.forever,
        Effect.forkScoped
      )
      yield* Queue.take(changes).pipe(
        Effect.andThen(
          Effect.sync(() => {
            for (const listener of listeners) listener()
            if (listeners.size > 0) Queue.offerUnsafe(untitled, undefined)
          })
        ),
        Effect.andThen(Effect.sleep(PACE)),
        Effect.forever,
        Effect.forkScoped
      )
      yield* Queue.take(untitled).pipe(
        Effect.andThen(Effect.sleep(TITLES_AFTER)),
        Effect.andThen(
          Effect.sync(() => {
            for (const list of lists.values()) list.wantTitles()
          })
        ),
        Effect.forever,
        Effect.forkScoped
      )

      const reread = Effect.fn("SessionLists.reread")(function* (sessionKey: string, { isAnew } = { isAnew: false }) {
        const { gatewayId, key } = keyParts(sessionKey)
        const list = lists.get(gatewayId)
        if (list === undefined) return yield* new UnknownGateway({ id: gatewayId })
        yield* ensureMarks
        if (isAnew) list.forgetWords(canonicalKey(key))
        return yield* list.reread(canonicalKey(key))
      })
      yield* Queue.take(rereads).pipe(
        Effect.flatMap((sessionKey) =>
          Effect.andThen(
            Effect.ignore(reread(sessionKey)),
            Effect.sync(() => see(sessionKey))
          )
        ),
        Effect.forever,
        Effect.forkScoped
      )

      /** The lists of a query, by their gateways' ids. */
      const listsOf = ({ gateway }: Pick<SessionsQuery, "gateway">, mayRead: MayRead) =>
        [...lists].filter(([id]) => mayRead(id) && (gateway === undefined || id === gateway))
      const rowsOf = (found: ReadonlyArray<readonly [string, GatewaySessions]>, archived: boolean) =>
        found.flatMap(([, list]) => [...list.rows().values()].filter((row) => row.archived === archived))

      const view: SessionListsShape["view"] = (query, mayRead) => {
        const found = listsOf(query, mayRead)
        const { isCut, items } = sessionWindow(rowsOf(found, query.archived), query.limit, looked)
        const gateways: Record<string, ListState> = {}
        for (const [id, list] of found) gateways[id] = list.state()
        const unread = rowsOf(found, false).reduce((count, row) => count + (row.unread ? 1 : 0), 0)
        return {
          items,
          head: { gateways, more: isCut || found.some(([, list]) => list.hasMore(query.archived)), unread }
        }
      }

      const ensure: SessionListsShape["ensure"] = Effect.fnUntraced(function* (query, mayRead) {
        yield* ensureMarks
        yield* Effect.forEach(
          listsOf(query, mayRead),
          ([, list]) => Effect.ignore(Effect.andThen(list.settled, list.ensure(query.limit, query.archived))),
          { concurrency: "unbounded", discard: true }
        )
      })

      const page: SessionListsShape["page"] = Effect.fn("SessionLists.page")(function* (query, mayRead) {
        const { archived, cursor, gateway, limit } = query
        if (gateway !== undefined && !lists.has(gateway)) return yield* new UnknownGateway({ id: gateway })
        const place = cursor === undefined ? undefined : placeOf(cursor)
        if (cursor !== undefined && place === undefined) return yield* new DamagedCursor()
        yield* Effect.timeoutOption(ensure(query, mayRead), FIRST_LIST)
        const found = listsOf(query, mayRead)
        const isAny = found.some(([, list]) => list.state().state === "ready")
        const [first] = found
        if (!isAny && first !== undefined) return yield* unread(first[1].state())
        const behind = () => sessionPage(rowsOf(found, archived), limit, place)
        const short = behind()
        const isEnough = short.cursor !== undefined || !found.some(([, list]) => list.hasMore(archived))
        if (isEnough) return short
        const count = rowsOf(found, archived).length + limit
        yield* Effect.timeoutOption(ensure({ ...query, limit: count }, mayRead), FIRST_LIST)
        return behind()
      })

      return SessionLists.of({
        has: (gatewayId) => lists.has(gatewayId),
        view,
        ensure,
        onChange: (listener) => {
          listeners.add(listener)
          Queue.offerUnsafe(untitled, undefined)
          return () => listeners.delete(listener)
        },
        onRemoved: (listener) => {
          removals.add(listener)
          return () => removals.delete(listener)
        },
        look: (viewer, sessionKey) => {
          const { gatewayId, key } = keyParts(sessionKey ?? "")
          const qualified = qualifiedKey(gatewayId, canonicalKey(key))
          if (sessionKey === null) viewers.delete(viewer)
          else viewers.set(viewer, qualified)
          looked = new Set(viewers.values())
          changed()
          if (sessionKey === null) return
          if (lists.get(gatewayId)?.listed(canonicalKey(key)) === undefined) Queue.offerUnsafe(rereads, qualified)
          see(qualified)
        },
        page,
        reread,
        kept: (sessionKey) => {
          const { gatewayId, key } = keyParts(sessionKey)
          return lists.get(gatewayId)?.listed(canonicalKey(key))
        }
      })
    })
  )
}
