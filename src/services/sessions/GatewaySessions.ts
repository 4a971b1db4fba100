import { Effect, Option, PubSub, Queue, Schedule, Schema, type Scope, Semaphore } from "effect"
import type { Why } from "../../contract/failure.ts"
import { qualifiedKey } from "../../contract/qualifiedKey.ts"
import { type ListState, MAX_SESSIONS, type SessionRow } from "../../contract/schema/sessionRow.ts"
import type { GatewayError } from "../gateway/client/GatewayError.ts"
import { connecting, starting } from "../gateway/client/gatewayFailures.ts"
import type { GatewayEvent } from "../gateway/client/gatewayFrames.ts"
import { readFeedEvent } from "../gateway/feed/FeedEvent.ts"
import type { LinkedGateway } from "../gateway/registry/EveryGateway.ts"
import { LISTED } from "../gateway/sessions/ListedSessions.ts"
import { type ListedSession, readSessionEvent } from "../gateway/sessions/listedSession.ts"
import { MAIN_SESSION, PROTOCOL_WITH_PAGES } from "../gateway/sessions/sessionSchemas.ts"
import { makeFirstWords, type Titles } from "./FirstWords.ts"
import { KeptRows } from "./KeptRows.ts"
import { isUntitled, type KnownOfSession, lacksTitle, parentOf, sessionRow } from "./sessionRow.ts"

/** What is known of a session besides what its gateway says. */
export type KnownElsewhere = Pick<KnownOfSession, "deniedAt" | "isWaiting" | "mark"> & { readonly seenAt: number }

interface GatewaySessionsOptions {
  readonly titles: Titles
  readonly knownOf: (qualified: string, row: ListedSession) => KnownElsewhere
  /** Keys at the gateway of sessions that are shown wherever they stand in its list. */
  readonly always: () => ReadonlyArray<string>
  /** Something about this gateway's sessions is another than before. */
  readonly onChange: () => void
  /** A row was changed by its gateway. */
  readonly onRow: (qualified: string) => void
}

/** The list of one gateway's sessions. */
export interface GatewaySessions {
  readonly state: () => ListState
  /** Whether the gateway has more than is kept. */
  readonly hasMore: (archived: boolean) => boolean
  /** All that are kept, by their keys among those of all gateways. */
  readonly rows: () => ReadonlyMap<string, SessionRow>
  /** The gateway's own row. */
  readonly listed: (key: string) => ListedSession | undefined
  /** Something besides the gateway's row has changed of a session. */
  readonly touch: (key: string) => void
  /** Something has changed for all. */
  readonly touchAll: () => void
  /** Reads until so many are kept, or until there are no more. */
  readonly ensure: (limit: number, archived: boolean) => Effect.Effect<void, GatewayError>
  /** Reads one session again; one that nobody has written in yet is as it would be. */
  readonly reread: (key: string) => Effect.Effect<SessionRow, GatewayError>
  /** The conversation began anew, so its first words are others. */
  readonly forgetWords: (key: string) => void
  /** Looks up the first words of those that have no title, the latest first, a part of them at a time. */
  readonly wantTitles: () => void
  /** Waits until the list is read, or can't be. */
  readonly settled: Effect.Effect<void>
}

/** Runs that older gateways claim are looked at in the histories of so many sessions, the latest ones. */
const CLAIMED = 40
/** Characters of a last message that are kept. */
const MAX_PREVIEW = 400
/** Several changes of a session often come together. */
const REREAD_AFTER = "300 millis"
/** From so many on, the list is read again instead of each by itself. */
const ONE_BY_ONE = 4
const AGAIN = { schedule: Schedule.spaced("30 seconds"), times: 4 } as const

const Spoken = Schema.Struct({
  sessionKey: Schema.NonEmptyString,
  session: Schema.optional(Schema.Struct({ sessionId: Schema.optional(Schema.NullOr(Schema.String)) })),
  message: Schema.Struct({
    role: Schema.String,
    content: Schema.optional(
      Schema.Union([Schema.String, Schema.Array(Schema.Struct({ text: Schema.optional(Schema.String) }))])
    )
  })
})
const decodeSpoken = Schema.decodeUnknownOption(Spoken)

const wordsOf = ({ content = "" }: (typeof Spoken.Type)["message"]): string =>
  (typeof content === "string" ? content : content.map(({ text = "" }) => text).join("\n")).slice(0, MAX_PREVIEW)

/** Most frames of a response are a few of its letters, which say nothing about its session. */
const isMere = ({ event, payload }: GatewayEvent): boolean =>
  event === "chat" && typeof payload === "object" && payload !== null && "state" in payload && payload.state === "delta"

/** Reads a gateway's list on each connection, and keeps it current by the events. */
export const makeGatewaySessions = Effect.fnUntraced(function* (
  { activity, client, feed, id }: LinkedGateway,
  { always, knownOf, onChange, onRow, titles }: GatewaySessionsOptions
): Effect.fn.Return<GatewaySessions, never, Scope.Scope> {
  const kept = new KeptRows()
  const shown = new Map<string, SessionRow>()
  const stale = new Set<string>()
  const turn = yield* Semaphore.make(1)
  const linked = yield* Queue.sliding<void>(1)
  const doubtful = yield* Queue.unbounded<string>()
  const waiters = new Set<() => void>()
  let isAllStale = true
  let isReady = false
  let failed: { readonly why?: Why } | undefined
  let limit = LISTED
  let isArchiveRead = false
  let mainKey = MAIN_SESSION

  const firstWords = yield* makeFirstWords(id, client, titles, (key) => touch(key))

  const state = (): ListState => {
    if (isReady) return { state: "ready" }
    return failed === undefined ? { state: "loading" } : { state: "failed", ...failed }
  }
  const stand = () => {
    if (state().state !== "loading") for (const resume of waiters) resume()
    onChange()
  }
  const touch = (key: string) => {
    stale.add(key)
    for (const row of kept.all.values()) if (parentOf(row) === key) stale.add(row.key)
    onChange()
  }
  const touchAll = () => {
    isAllStale = true
    onChange()
  }

  const rowOf = (row: ListedSession): SessionRow => {
    const key = qualifiedKey(id, row.key)
    const known = knownOf(key, row)
    const parent = parentOf(row)
    const above = parent === undefined ? undefined : kept.get(parent)
    return sessionRow(row, {
      ...known,
      // Who has seen a session has learned from it how its helpers did.
      seenAt:
        above === undefined ? known.seenAt : Math.max(known.seenAt, knownOf(qualifiedKey(id, above.key), above).seenAt),
      gatewayId: id,
      mainKey,
      isBusy: activity.isBusy(row.key),
      firstWords: typeof row.sessionId === "string" ? firstWords.get(row.sessionId) : undefined
    })
  }
  const main = (): ListedSession => kept.get(mainKey) ?? { key: mainKey }
  /** Shows a row; one that says the same as before stays the same object. */
  const show = (row: ListedSession) => {
    const next = rowOf(row)
    const before = shown.get(next.key)
    if (before === undefined || JSON.stringify(before) !== JSON.stringify(next)) shown.set(next.key, next)
  }
  const rows = () => {
    if (isAllStale) {
      const known = new Set([...kept.all.keys(), mainKey].map((key) => qualifiedKey(id, key)))
      for (const key of shown.keys()) if (!known.has(key)) shown.delete(key)
      for (const row of kept.all.values()) show(row)
      if (isReady) show(main())
    } else {
      for (const key of stale) {
        const row = key === mainKey ? main() : kept.get(key)
        if (row === undefined) shown.delete(qualifiedKey(id, key))
        else show(row)
      }
    }
    isAllStale = false
    stale.clear()
    return shown
  }

  /** Those of an older gateway that may be wrong, the latest ones, and all of a newer one. */
  const claims = () => {
    const claimed = (row: ListedSession) => typeof row.hasActiveRun !== "boolean" && row.status === "running"
    const all = [...kept.all.values()].filter(claimed).sort((a, b) => (b.startedAt ?? 0) - (a.startedAt ?? 0))
    return new Set(all.slice(0, CLAIMED).map(({ key }) => key))
  }

  const readArchived = Effect.gen(function* () {
    const protocol = (yield* client.connection)?.protocol ?? 0
    if (protocol >= PROTOCOL_WITH_PAGES) kept.takeArchived(yield* feed.sessions.readMore(limit, { archived: true }))
  })

  const find = Effect.fnUntraced(function* (key: string) {
    const row = yield* feed.sessions.find(key)
    kept.put(key, row)
    touch(key)
  })

  const read = Effect.gen(function* () {
    kept.take(yield* feed.sessions.read)
    mainKey = (yield* client.latestConnection)?.mainKey ?? MAIN_SESSION
    isReady = true
    touchAll()
    stand()
    if (limit > LISTED && kept.hasMore) kept.take(yield* feed.sessions.readMore(limit))
    if (isArchiveRead) yield* readArchived
    const beyond = kept.hasMore ? [mainKey, ...always()].filter((key) => kept.get(key) === undefined) : []
    yield* Effect.forEach(new Set(beyond), find, { discard: true })
    const claimed = claims()
    if (claimed.size > 0) yield* Effect.ignore(activity.catchUp(claimed))
    touchAll()
  }).pipe(turn.withPermit)

  const fail = ({ why }: GatewayError) =>
    Effect.sync(() => {
      failed = why === undefined ? {} : { why }
      stand()
    })

  const reread = Effect.gen(function* () {
    const first = yield* Queue.take(doubtful)
    yield* Effect.sleep(REREAD_AFTER)
    const keys = new Set([first, ...(yield* Queue.clear(doubtful))])
    if (keys.size <= ONE_BY_ONE) return yield* Effect.forEach(keys, find, { discard: true })
    kept.beginReading()
    kept.take(yield* feed.sessions.readMore(limit))
    touchAll()
  }).pipe(Effect.ignore)

  const forgetWords = (key: string) => {
    const id = kept.get(key)?.sessionId
    if (typeof id === "string") firstWords.forget(id)
  }

  const onSession = (payload: unknown) => {
    const event = readSessionEvent(payload)
    if (event === undefined) return
    const before = kept.get(event.key)
    if (event.reason === "reset") forgetWords(event.key)
    kept.change(event)
    // What a change took away isn't in the event, and neither are a new session's first and last words.
    const isDoubtful = event.reason === "reset" || event.reason === "patch" || before === undefined
    if (isDoubtful && event.reason !== "delete") Queue.offerUnsafe(doubtful, event.key)
    touch(event.key)
    onRow(qualifiedKey(id, event.key))
  }

  const onSpoken = (payload: unknown) => {
    const spoken = Option.getOrUndefined(decodeSpoken(payload))
    if (spoken === undefined) return
    const { message, session, sessionKey } = spoken
    const words = message.role === "user" || message.role === "assistant" ? wordsOf(message) : ""
    if (words.trim() !== "") kept.update(sessionKey, { lastMessagePreview: words })
    const sessionId = session?.sessionId ?? kept.get(sessionKey)?.sessionId
    if (typeof sessionId === "string") firstWords.hear(sessionId, Object(payload).message)
    touch(sessionKey)
  }

  const onRun = (frame: GatewayEvent) => {
    const event = isMere(frame) ? undefined : readFeedEvent(frame)
    if (event?._tag === "ResponseBegan") touch(event.sessionKey)
    if (event?._tag !== "ResponseEnded") return
    const key = event.end.sessionKey ?? activity.sessionOf(event.end.runId)
    if (key === undefined) return
    const row = kept.get(key)
    // A gateway names a session after its first words without saying so.
    if (row === undefined || lacksTitle(row, mainKey)) Queue.offerUnsafe(doubtful, key)
    if (row !== undefined && !activity.isBusy(key)) {
      const stopped = event.end.state === "aborted" ? { status: "killed" } : {}
      kept.update(key, { ...stopped, ...(row.hasActiveRun === true ? { hasActiveRun: false } : {}) })
    }
    touch(key)
  }

  const beginAnew = () => kept.beginReading()
  yield* client.tap({
    linked: beginAnew,
    gap: beginAnew,
    frame: (frame) => {
      if (frame.event === "sessions.changed") onSession(frame.payload)
      else if (frame.event === "session.message") onSpoken(frame.payload)
      else if (frame.event === "chat" || frame.event === "agent") onRun(frame)
    }
  })

  const events = yield* feed.events
  if ((yield* client.connection) !== undefined) yield* Queue.offer(linked, undefined)
  yield* Queue.take(events).pipe(
    Effect.flatMap(({ _tag }) => (_tag === "Linked" ? Queue.offer(linked, undefined) : Effect.void)),
    Effect.forever,
    Effect.forkScoped
  )
  yield* Queue.take(linked).pipe(
    Effect.andThen(read.pipe(Effect.tapError(fail), Effect.retry(AGAIN), Effect.ignore)),
    Effect.forever,
    Effect.forkScoped
  )
  yield* Effect.forkScoped(Effect.forever(reread))

  const links = yield* client.linkChanges
  const follow = Effect.gen(function* () {
    const problem = yield* client.problem
    const isBeginning =
      problem === undefined || [connecting, starting].some(({ message }) => message === problem.message)
    if (isReady) return
    if (!isBeginning) return yield* fail(problem)
    failed = undefined
    stand()
  })
  yield* Effect.forkScoped(Effect.andThen(follow, Effect.forever(Effect.andThen(PubSub.take(links), follow))))

  const ensure: GatewaySessions["ensure"] = Effect.fnUntraced(function* (wanted, archived) {
    if (!isReady) return
    const hasFew = wanted > limit && (kept.hasMore || (archived && kept.hasMoreArchived))
    while (limit < wanted && limit < MAX_SESSIONS) limit = Math.min(MAX_SESSIONS, limit * 2)
    const isArchiveWanted = archived && (!isArchiveRead || (kept.hasMoreArchived && hasFew))
    if (hasFew) {
      kept.beginReading()
      kept.take(yield* feed.sessions.readMore(limit))
    }
    if (isArchiveWanted) {
      yield* readArchived
      isArchiveRead = true
    }
    if (hasFew || isArchiveWanted) touchAll()
  }, turn.withPermit)

  return {
    state,
    hasMore: (archived) => (archived ? kept.hasMoreArchived : kept.hasMore),
    rows,
    listed: (key) => kept.get(key),
    touch,
    touchAll,
    ensure,
    reread: Effect.fnUntraced(function* (key) {
      yield* find(key)
      return rows().get(qualifiedKey(id, key)) ?? rowOf({ key })
    }),
    forgetWords,
    wantTitles: () => {
      if (!isReady) return
      const latest = [...kept.all.values()].filter((row) => isUntitled(row, mainKey))
      firstWords.want(latest.sort((a, b) => (b.updatedAt ?? 0) - (a.updatedAt ?? 0)))
    },
    settled: Effect.callback<void>((resume) => {
      const ready = () => {
        waiters.delete(ready)
        resume(Effect.void)
      }
      if (state().state === "loading") waiters.add(ready)
      else resume(Effect.void)
      return Effect.sync(() => waiters.delete(ready))
    })
  }
})
