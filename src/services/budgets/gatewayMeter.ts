import { Clock, Effect, Queue, Result, Schedule, Schema, Semaphore } from "effect"
import { makeListedRuns } from "../gateway/activity/listedRuns.ts"
import type { FeedEvent } from "../gateway/feed/FeedEvent.ts"
import type { FeedMessage } from "../gateway/feed/feedMessage.ts"
import type { LinkedGateway } from "../gateway/registry/EveryGateway.ts"
import { rowsOf, sessionRows } from "../gateway/sessions/sessionSchemas.ts"
import { orWarn } from "../platform/orWarn.ts"
import { priceOfUsage } from "../usage/transcripts/readUsageLine.ts"
import { GATEWAY_NOTES } from "../usage/UsageRow.ts"
import type { BudgetBook, Entry } from "./BudgetBook.ts"
import { beginTurn, countResponse, finishTurn } from "./budgetChanges.ts"
import type { RunningTurn } from "./RunningTurns.ts"
import { openTurns, saveParent } from "./spendTable.ts"

/** Nothing that changed so long ago is running. */
const RUNNING_SINCE_MS = 24 * 60 * 60 * 1000
const STORE_AGAIN = { schedule: Schedule.spaced("1 second"), times: 30 } as const
const ASK_LIMIT = "3 seconds"
/** No response costs more than a million dollars. */
const MAX_NANO = 1e15

const Text = Schema.optionalKey(Schema.NullOr(Schema.String))
const Time = Schema.optionalKey(Schema.NullOr(Schema.Finite))

export const SessionRow = Schema.Struct({
  key: Schema.String,
  spawnedBy: Text,
  status: Text,
  hasActiveRun: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  activeRunIds: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String))),
  startedAt: Time,
  endedAt: Time,
  updatedAt: Time,
  abortedLastRun: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
})
type SessionRow = typeof SessionRow.Type

const SessionId = Schema.Struct({ key: Schema.String, sessionId: Text })

const Aborted = Schema.Struct({ aborted: Schema.optionalKey(Schema.Boolean) })

const isSpawned = (sessionKey: string): boolean => sessionKey.includes(":subagent:")

/** Whether it's a response of a model, whole: not what a stop left of one, and not the gateway's own note. */
const isResponse = ({ message }: FeedMessage): boolean =>
  message.role === "assistant" &&
  message.provider !== GATEWAY_NOTES &&
  message.openclawAbort === undefined &&
  message.stopReason !== "aborted"

/** What a response cost, in billionths of a dollar; `undefined` if nobody says. One that failed without a word is free. */
const priceOf = ({ message }: FeedMessage): number | undefined => {
  const price = priceOfUsage(message.usage)
  if (price === undefined) return message.stopReason === "error" ? 0 : undefined
  return Math.min(price, MAX_NANO)
}

/** Counts what one gateway's sessions spend, and knows which of them are running. */
export const makeGatewayMeter = Effect.fnUntraced(function* (book: BudgetBook, gateway: LinkedGateway) {
  const { client, id: gatewayId } = gateway
  const runsOf = makeListedRuns(client)
  const alone = yield* Semaphore.make(1)
  const refreshes = yield* Queue.sliding<void>(1)
  const arrived = yield* gateway.feed.events
  const early = yield* gateway.feed.early
  const counting = yield* Semaphore.make(1)
  /** When a turn of a session was over: an older gateway goes on listing some of them as running. */
  const overAt = new Map<string, number>()
  /** Turns that ran when the console ended, until the gateway's list says what became of them. */
  let open = yield* Effect.orElseSucceed(
    book.read((db) => openTurns(db, gatewayId)),
    (): ReturnType<typeof openTurns> => []
  )

  const write = (body: (entry: Entry) => void) =>
    book.write((entry) => {
      body(entry)
      return Result.void
    })

  const learn = (entry: Entry, sessionKey: string, parentKey: string) => {
    if (book.parentOf(gatewayId, sessionKey) === parentKey) return
    saveParent(entry.db, gatewayId, sessionKey, parentKey)
    book.spawned(gatewayId, sessionKey, parentKey)
  }

  /** Asks who spawned a session, if that isn't known. */
  const askLine = Effect.fnUntraced(function* (sessionKey: string) {
    let key = sessionKey
    while (isSpawned(key) && book.parentOf(gatewayId, key) === undefined) {
      const [row] = yield* rowsOf(client, SessionRow, new Set([key])).pipe(
        Effect.timeout(ASK_LIMIT),
        Effect.orElseSucceed((): ReadonlyArray<SessionRow> => [])
      )
      const parentKey = row?.spawnedBy
      if (typeof parentKey !== "string" || parentKey === key) break
      const child = key
      yield* write((entry) => learn(entry, child, parentKey))
      key = parentKey
    }
  })

  const respond = (entry: Entry, said: FeedMessage) => {
    if (!isResponse(said)) return
    // A gateway whose clock is ahead would spend in a period that's yet to come.
    const at = said.at > 0 ? Math.min(Math.floor(said.at), entry.now) : entry.now
    const work = entry.workOf(gatewayId, said.sessionKey)
    countResponse(entry, { work, messageId: said.id, at, nano: priceOf(said) })
  }

  const sessionOf = (runId: string): string | undefined =>
    book.running.all().find((turn) => turn.work.gatewayId === gatewayId && turn.runId === runId)?.work.sessionKey

  const apply = (entry: Entry, event: FeedEvent): void => {
    if (event._tag === "Said") respond(entry, event.said)
    if (event._tag === "ResponseBegan")
      beginTurn(entry, entry.workOf(gatewayId, event.sessionKey), event.runId, entry.now)
    if (event._tag === "ResponseEnded") {
      const { runId, sessionKey = sessionOf(runId) } = event.end
      if (sessionKey === undefined) return
      overAt.set(sessionKey, entry.now)
      finishTurn(entry, { gatewayId, sessionKey }, runId)
    }
    if (event._tag === "SessionChanged" && event.spawnedBy !== undefined)
      learn(entry, event.sessionKey, event.spawnedBy)
  }

  /** Whether an event says something that isn't counted yet. */
  const isNews = (event: FeedEvent): boolean => {
    switch (event._tag) {
      case "Said":
        return isResponse(event.said)
      case "SessionChanged":
        return event.spawnedBy !== undefined && book.parentOf(gatewayId, event.sessionKey) !== event.spawnedBy
      default:
        return event._tag === "ResponseBegan" || event._tag === "ResponseEnded"
    }
  }

  const keyOf = (event: FeedEvent): string | undefined =>
    event._tag === "Said" ? event.said.sessionKey : event._tag === "ResponseBegan" ? event.sessionKey : undefined

  /** Events that have arrived and aren't counted yet. */
  let news: Array<FeedEvent> = []

  /** Counts everything that has arrived, in one transaction: a busy gateway says more than a disk syncs. */
  const countNews = Effect.gen(function* () {
    for (const queue of [early, arrived]) news.push(...(yield* Queue.clear(queue)).filter(isNews))
    const events = news
    news = []
    if (events.length === 0) return
    for (const key of new Set(events.flatMap((event) => keyOf(event) ?? []))) yield* askLine(key)
    yield* write((entry) => {
      for (const event of events) apply(entry, event)
    }).pipe(
      Effect.tapError(() =>
        Effect.sync(() => {
          news = [...events, ...news]
        })
      )
    )
  }).pipe(counting.withPermit)

  const count = countNews.pipe(
    Effect.retry(STORE_AGAIN),
    Effect.catch((error) =>
      Effect.suspend(() => {
        // What can't be stored doesn't keep the rest from being counted.
        news = []
        return Effect.logError(`Couldn't count what was spent: ${error.message}`)
      })
    )
  )

  /** Counts a turn whose end was missed, by the gateway's own times where it has them. */
  const conclude = (entry: Entry, turn: RunningTurn, row: SessionRow | undefined) => {
    const endedAt = row?.endedAt ?? undefined
    const ranMs = endedAt === undefined ? undefined : Math.floor(Math.min(endedAt, entry.now)) - turn.startedAt
    if (ranMs !== undefined && ranMs >= 0) entry.running.begin({ ...turn, ranMs, noticedAt: entry.moment })
    finishTurn(entry, turn.work, turn.runId)
  }

  /** The sessions that changed lately, and which of them are running. */
  const listed = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const { rows } = yield* sessionRows(client, SessionRow, {
      isEnough: (all) => (all.at(-1)?.updatedAt ?? 0) < now - RUNNING_SINCE_MS
    })
    const isSure = ({ hasActiveRun }: SessionRow) => typeof hasActiveRun === "boolean"
    const doubtful = rows.filter((row) => !isSure(row) && row.status === "running").map(({ key }) => key)
    // An older gateway lists stopped and lost runs as running.
    const alive =
      doubtful.length === 0
        ? []
        : (yield* runsOf(new Set(doubtful))).flatMap(({ isRunning, key }) => (isRunning ? [key] : []))
    return {
      rows: new Map(rows.map((row) => [row.key, row])),
      running: rows.filter((row) => row.hasActiveRun === true || alive.includes(row.key))
    }
  })

  const isHere = Effect.map(client.connection, (connection) => connection !== undefined)

  /** Compares what's known of running turns with the gateway's list. */
  const refresh = Effect.gen(function* () {
    if (!(yield* isHere)) return
    const asked = yield* Clock.currentTimeNanos
    const { rows, running } = yield* listed
    yield* write((entry) => {
      for (const { key, spawnedBy } of rows.values()) if (typeof spawnedBy === "string") learn(entry, key, spawnedBy)
      const keys = new Set(running.map(({ key }) => key))
      const mine = entry.running.all().filter(({ work }) => work.gatewayId === gatewayId)
      for (const turn of mine)
        if (!keys.has(turn.work.sessionKey) && turn.noticedAt < asked)
          conclude(entry, turn, rows.get(turn.work.sessionKey))
      for (const { runId, sessionKey, startedAt: since } of open) {
        const work = entry.workOf(gatewayId, sessionKey)
        if (entry.running.has(work, runId)) continue
        const turn = { work, runId, startedAt: since, ranMs: 0, noticedAt: entry.moment }
        if (!keys.has(sessionKey)) conclude(entry, turn, rows.get(sessionKey))
        else entry.running.begin({ ...turn, ranMs: Math.max(0, entry.now - since) })
      }
      open = []
      for (const row of running) {
        const work = entry.workOf(gatewayId, row.key)
        const isOver = typeof row.hasActiveRun !== "boolean" && (row.startedAt ?? 0) <= (overAt.get(row.key) ?? -1)
        if (isOver || entry.running.inSession(work).length > 0) continue
        const since = Math.floor(Math.min(row.startedAt ?? entry.now, entry.now))
        beginTurn(entry, work, row.activeRunIds?.[0] ?? `listed ${since}`, since)
      }
    })
  }).pipe(alone.withPermit)

  const onEvent = (event: FeedEvent): Effect.Effect<void> =>
    event._tag === "Linked" ? Effect.asVoid(Queue.offer(refreshes, undefined)) : count

  // While missed messages of many sessions are read, a used up budget stops its work nevertheless.
  yield* Queue.take(early).pipe(
    Effect.flatMap((event) => {
      if (isNews(event)) news.push(event)
      return count
    }),
    Effect.forever,
    Effect.forkScoped
  )
  yield* Effect.forkScoped(
    Effect.forever(Effect.andThen(Queue.take(refreshes), refresh.pipe(orWarn("Couldn't read which sessions run"))))
  )

  return {
    gatewayId,
    onEvent,
    isHere,
    refresh,
    /** Whether a session runs by the gateway's list, of which an older one's is a guess, or was stopped the last time. */
    lookUp: (sessionKey: string) =>
      Effect.gen(function* () {
        const [row] = yield* rowsOf(client, SessionRow, new Set([sessionKey]))
        const wasStopped = row?.abortedLastRun === true || row?.status === "killed"
        if (row === undefined) return { isRunning: false, isSure: true, wasStopped }
        if (typeof row.hasActiveRun === "boolean") return { isRunning: row.hasActiveRun, isSure: true, wasStopped }
        const found = row.status === "running" ? yield* runsOf(new Set([sessionKey])) : []
        return { isRunning: found.some(({ isRunning }) => isRunning), isSure: false, wasStopped }
      }),
    /** Notes that nothing runs in a session, whatever the list says. */
    isOver: (sessionKey: string) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        overAt.set(sessionKey, now)
      }),
    /** The id under which a session's usage is kept. */
    sessionId: (sessionKey: string) =>
      rowsOf(client, SessionId, new Set([sessionKey])).pipe(
        Effect.timeout(ASK_LIMIT),
        Effect.map(([row]) => row?.sessionId ?? sessionKey),
        Effect.orElseSucceed(() => sessionKey)
      ),
    /** Stops the running turn of a session; false if there was none. */
    abort: (sessionKey: string) =>
      Effect.map(client.request("chat.abort", { sessionKey }, Aborted), ({ aborted }) => aborted === true),
    /** Ends a session that an older gateway doesn't stop, by beginning it anew. */
    reset: (sessionKey: string) => client.request("sessions.reset", { key: sessionKey }, Schema.Unknown)
  }
})

export type GatewayMeter = Effect.Success<ReturnType<typeof makeGatewayMeter>>
