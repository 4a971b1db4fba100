import { Clock, DateTime, Effect, type Schema } from "effect"
import type { GatewayClientShape } from "../gateway/client/GatewayClient.ts"
import type { GatewayError } from "../gateway/client/GatewayError.ts"
import {
  type DayTotal,
  dayTotals,
  GatewayAgents,
  GatewayDay,
  GatewayDays,
  GatewaySessions,
  gatewayUsageRows,
  isOtherDay,
  ModelCatalogue,
  ModelSettings,
  sessionWork
} from "./gatewayUsage.ts"
import type { AskUsage } from "./UsageThread.ts"

/** From this protocol generation on, the gateway keeps its sessions where the console can't read them. */
const WITHOUT_TRANSCRIPTS = 4
/** Before there can be any usage. */
const BEGINNING = "2024-01-01"
/** Days requested per scan; older ones follow in the next. */
const MAX_DAYS = 31
const MAX_SESSIONS = 10_000
/** Those with the latest usage come first. */
const MAX_LISTED = 1000
const CALL_LIMIT = { timeout: "5 seconds" } as const
/** A count older than this is a cached response, and the gateway is counting again in the background. */
const KEPT_ANSWER_MS = 5_000
const ASK_AGAIN_AFTER = "1 second"
const ASK_AGAIN_AT_MOST = 4

/** Whose usage to request; the parameter of `sessions.usage` depends on the gateway's version. */
type Scope = { readonly agentScope: "all" } | { readonly agentId: string } | Readonly<Record<string, never>>

/** For gateways that only count the default agent unless told otherwise. */
const EVERY_AGENT: ReadonlyArray<Scope> = [{ agentScope: "all" }]
/** The oldest ones always count every agent. */
const UNSAID: ReadonlyArray<Scope> = [{}]

const isRefused = ({ reason }: GatewayError) => reason === "invalid"

/**
 * Stores what only the gateway knows: usage without transcripts, and its models' prices. `isHere` tells whether an older
 * gateway's transcripts are on this machine.
 */
export const makeGatewayUsageSource = (gateway: GatewayClientShape, ask: AskUsage, isHere: boolean) => {
  const usageOf = <A>(scopes: ReadonlyArray<Scope>, params: object, payload: Schema.Decoder<A>) =>
    Effect.forEach(scopes, (scope) => gateway.request("sessions.usage", { ...params, ...scope }, payload, CALL_LIMIT))

  /** The response, requested again until it's good enough, or the last one after a few attempts. */
  const patiently = Effect.fnUntraced(function* <A, E>(
    call: Effect.Effect<A, E>,
    isGood: (answer: A, now: number) => boolean
  ) {
    let answer = yield* call
    for (let times = 1; times < ASK_AGAIN_AT_MOST; times += 1) {
      if (isGood(answer, yield* Clock.currentTimeMillis)) break
      answer = yield* Effect.delay(call, ASK_AGAIN_AFTER)
    }
    return answer
  })

  const isFresh = (answers: ReadonlyArray<GatewayDays>) =>
    answers.every(({ cacheStatus }) => cacheStatus === undefined || cacheStatus.status === "fresh")
  const isOfNow = (answers: ReadonlyArray<GatewayDays>, now: number) =>
    answers.every(({ updatedAt = now }) => now - updatedAt < KEPT_ANSWER_MS)

  /** All days with usage, and how to ask the gateway for all agents. */
  const overview = Effect.gen(function* () {
    const endDate = DateTime.formatIsoDateUtc(yield* DateTime.now)
    const window = { startDate: BEGINNING, endDate, limit: 1 }
    const days = (scopes: ReadonlyArray<Scope>) =>
      patiently(usageOf(scopes, window, GatewayDays), (answers, now) => isFresh(answers) && isOfNow(answers, now)).pipe(
        Effect.map((answers) => ({ scopes, totals: dayTotals(answers), isFresh: isFresh(answers) }))
      )
    const eachAgent = gateway
      .request("agents.list", {}, GatewayAgents, CALL_LIMIT)
      .pipe(Effect.flatMap(({ agents }) => days(agents.map(({ id }) => ({ agentId: id })))))
    return yield* days(EVERY_AGENT).pipe(
      Effect.catchIf(isRefused, () => eachAgent),
      Effect.catchIf(isRefused, () => days(UNSAID))
    )
  })

  /** The figures of each day when this process stored it; if they're lower now, something was deleted there. */
  const storedFigures = new Map<string, string>()

  /** Stores one day; if the response was cached, waits for the new count. */
  const storeDay = Effect.fnUntraced(function* (scopes: ReadonlyArray<Scope>, date: string, wanted: DayTotal) {
    const params = { startDate: date, endDate: date, limit: MAX_SESSIONS }
    const totalOf = (answers: ReadonlyArray<GatewayDay>) => dayTotals(answers).get(date)
    const answers = yield* patiently(
      usageOf(scopes, params, GatewayDay),
      (found) => (totalOf(found)?.tokens ?? 0) >= wanted.tokens
    )
    yield* ask("saveGatewayDay", date, answers.flatMap(gatewayUsageRows))
    yield* ask("saveSessionWork", sessionWork(answers.flatMap(({ sessions }) => sessions)))
    storedFigures.set(date, totalOf(answers)?.figures ?? "")
  })

  /** Whether the last scan left out days that the next one takes. */
  let hasMore = false

  /** Returns whether all the gateway's days are in the store. */
  const days = Effect.gen(function* () {
    const { scopes, totals, isFresh } = yield* overview
    const stored = yield* ask("gatewayDays")
    const changed = [...totals].filter(([date, total]) => {
      const figures = storedFigures.get(date)
      return (
        total.tokens > 0 && (figures === undefined ? isOtherDay(stored.get(date), total) : figures !== total.figures)
      )
    })
    for (const [date, total] of changed.toSorted(([a], [b]) => (a < b ? 1 : -1)).slice(0, MAX_DAYS)) {
      yield* storeDay(scopes, date, total)
    }
    hasMore = changed.length > MAX_DAYS
    return isFresh && !hasMore
  })

  const rates = Effect.gen(function* () {
    if (!(yield* ask("needsRates"))) return
    const settings = gateway.request("config.get", {}, ModelSettings, CALL_LIMIT)
    const catalogue = gateway.request("models.list", {}, ModelCatalogue, CALL_LIMIT)
    for (const source of [catalogue, settings]) {
      const models = yield* Effect.orElseSucceed(source, () => [])
      yield* ask("saveRates", models)
    }
  })

  /** Returns whether everything the gateway knows is in the store: `false` while it's away or still counting. */
  const refresh = Effect.gen(function* () {
    const connection = yield* gateway.connection
    if (connection === undefined) return false
    const isComplete =
      (isHere && connection.protocol < WITHOUT_TRANSCRIPTS) ||
      (yield* days.pipe(
        Effect.catchTag("GatewayError", (error) =>
          Effect.as(Effect.logWarning(`Couldn't get the gateway's usage: ${error.message}`), false)
        )
      ))
    yield* rates
    return isComplete
  }).pipe(Effect.withSpan("GatewayUsageSource.refresh"))

  /** Notes what the sessions of transcripts were for, which only the gateway's list says. */
  const noteWork = Effect.gen(function* () {
    const connection = yield* gateway.connection
    if (connection === undefined || !isHere || connection.protocol >= WITHOUT_TRANSCRIPTS) return
    const { sessions } = yield* gateway.request("sessions.list", { limit: MAX_LISTED }, GatewaySessions, CALL_LIMIT)
    yield* ask("saveSessionWork", sessionWork(sessions))
  }).pipe(Effect.ignore)

  return { refresh, noteWork, hasMore: () => hasMore }
}
