import { Clock, Context, Effect, FileSystem, Layer, Path, PubSub, Result, Schema } from "effect"
import { failure } from "../../contract/failures.ts"
import { PRIMARY } from "../../contract/qualifiedKey.ts"
import { failureFields } from "../../contract/schema/failure.ts"
import type { UsageHistoryRow, UsageSummary } from "../../contract/schema/usage.ts"
import { EveryGateway } from "../gateway/registry/EveryGateway.ts"
import { UnknownGateway } from "../gateway/registry/gatewayEntry.ts"
import { EventBus } from "../platform/events/EventBus.ts"
import { Settings } from "../platform/settings/Settings.ts"
import { makeSingleFlight } from "../platform/singleFlight.ts"
import { transcriptFolders } from "../transcripts/transcriptFolders.ts"
import type { Totals } from "./store/totalRows.ts"
import { makeUsageCounter } from "./usageCounter.ts"
import type { UsageHistoryQuery } from "./usageSchemas.ts"

/** What one gateway's usage comes to. */
interface GatewayTotals {
  readonly id: string
  readonly totals: Totals
}

/** Adds the gateways up; the entries name theirs if there are several. */
const summed = (all: ReadonlyArray<GatewayTotals>, updatedAt: number): UsageSummary => {
  const sum = (pick: (totals: Totals) => number) => all.reduce((total, { totals }) => total + pick(totals), 0)
  return {
    totalCost: sum(({ totalCost }) => totalCost),
    totalInput: sum(({ totalInput }) => totalInput),
    totalOutput: sum(({ totalOutput }) => totalOutput),
    totalMessages: sum(({ totalMessages }) => totalMessages),
    entries: all
      .flatMap(({ id, totals }) =>
        totals.entries.map((entry) => (all.length === 1 ? entry : { ...entry, gatewayId: id }))
      )
      .toSorted((a, b) => b.cost - a.cost),
    persistent: {
      totalInput: sum(({ persistent }) => persistent.totalInput),
      totalOutput: sum(({ persistent }) => persistent.totalOutput),
      totalCost: sum(({ persistent }) => persistent.totalCost),
      lastUpdated:
        all
          .map(({ totals }) => totals.persistent.lastUpdated)
          .toSorted()
          .at(-1) ?? ""
    },
    updatedAt
  }
}

/** The usage couldn't be counted; `message` is for people. */
export class UsageUnavailable extends Schema.TaggedError<UsageUnavailable>()("UsageUnavailable", {
  ...failureFields,
  cause: Schema.Defect()
}) {}

export interface TokenUsageShape {
  /** The current totals of all gateways or one, at most 60 s old. */
  readonly summary: (gateway?: string) => Effect.Effect<UsageSummary, UsageUnavailable | UnknownGateway>
  /** The totals per group between two days, including deleted transcripts; as fresh as the summary. */
  readonly history: (
    query: UsageHistoryQuery,
    gateway?: string
  ) => Effect.Effect<ReadonlyArray<UsageHistoryRow>, UsageUnavailable | UnknownGateway>
}

const FRESH_FOR_MS = 60_000
const SCAN_EVERY = "60 seconds"
/** While a long history is being counted. */
const GO_ON_AFTER = "1 second"
/** The first scan waits until after start-up, for what people are waiting for. */
const FIRST_SCAN_AFTER = "1 second"

/** A gateway has just become reachable. */
const isLinkUp = Schema.is(
  Schema.Union([
    Schema.Struct({
      event: Schema.Literal("status.changed"),
      data: Schema.Struct({ gateway: Schema.Literal("ok") })
    }),
    Schema.Struct({
      event: Schema.Literal("gateway.changed"),
      data: Schema.Struct({ gateway: Schema.Struct({ state: Schema.Literal("ok") }) })
    })
  ])
)

const unavailable = (cause: unknown) => new UsageUnavailable({ ...failure("USAGE_FAILED"), cause })

/** The sentence sends people to the log, so the cause is there. */
const refused = <A, E, R>(counting: Effect.Effect<A, E, R>) =>
  counting.pipe(
    Effect.tapError((error) => Effect.logError("Couldn't count the token usage", error)),
    Effect.mapError(unavailable)
  )

type UsageCounter = Effect.Success<ReturnType<typeof makeUsageCounter>>

/** Token usage of all agents, counted from their transcripts; publishes `tokens.updated`. */
export class TokenUsage extends Context.Service<TokenUsage, TokenUsageShape>()(
  "agent-console/services/usage/TokenUsage"
) {
  static readonly layer = Layer.effect(
    TokenUsage,
    Effect.gen(function* () {
      const settings = yield* Settings
      const bus = yield* EventBus
      const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
      const fs = yield* FileSystem.FileSystem
      const paths = yield* Path.Path
      const every = yield* EveryGateway
      const fileOf = (id: string) => paths.join(settings.svcHome, id === PRIMARY ? "usage.db" : `usage-${id}.db`)
      const here = { folders: transcriptFolders(settings), usageFile: settings.usageFile }
      const counters = yield* every.each(({ client, id }) =>
        makeUsageCounter({
          gateway: client,
          file: fileOf(id),
          ...(id === PRIMARY ? { transcripts: here } : {})
        })
      )
      yield* every.onRemoved((id) =>
        Effect.forEach(["", "-wal", "-shm"], (end) => fs.remove(`${fileOf(id)}${end}`, { force: true })).pipe(
          Effect.ignore({ log: "Warn" })
        )
      )

      let latest: UsageSummary | undefined
      /** Nothing is counted while the console starts. */
      let hasBegun = false
      /** How many gateways the last scan looked at: without a removed one, the totals are others. */
      let counted = 0
      /** Whether a gateway's totals have changed; those of an added one that can't be counted now are the last ones. */
      const scanOne = Effect.fnUntraced(function* (id: string, counter: UsageCounter) {
        if (id === PRIMARY) return yield* counter.scan
        const found = yield* Effect.result(counter.scan)
        if (Result.isSuccess(found)) return found.success
        yield* Effect.logWarning(`Couldn't count the token usage of the gateway ${id}`, found.failure)
        return false
      })
      const totalsNow = (): ReadonlyArray<GatewayTotals> =>
        [...counters].flatMap(([id, counter]) => {
          const totals = counter.latest()
          return totals === undefined ? [] : [{ id, totals }]
        })
      const scan = Effect.gen(function* () {
        hasBegun = true
        let isNew = counters.size < counted
        counted = counters.size
        // One after the other, since each has a thread while it's at work, and with those that are added meanwhile.
        for (const [id, counter] of counters) {
          if (yield* scanOne(id, counter)) isNew = true
        }
        latest = summed(totalsNow(), yield* Clock.currentTimeMillis)
        if (!isNew) return latest
        const { totalCost, totalInput, totalOutput, updatedAt } = latest
        yield* bus.publish({ event: "tokens.updated", data: { totalCost, totalInput, totalOutput, updatedAt } })
        return latest
      }).pipe(Effect.provideContext(platform), refused, Effect.withSpan("TokenUsage.scan"))

      const scanOnce = yield* makeSingleFlight(scan)

      const all = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        return latest !== undefined && now - latest.updatedAt < FRESH_FOR_MS ? latest : yield* scanOnce
      })

      const counterOf = (id: string) =>
        Effect.suspend(() => {
          const counter = counters.get(id)
          return counter === undefined ? Effect.fail(new UnknownGateway({ id })) : Effect.succeed(counter)
        })

      const summary = Effect.fn("TokenUsage.summary")(function* (gateway?: string) {
        if (gateway === undefined) return yield* all
        const counter = yield* counterOf(gateway)
        const { updatedAt } = yield* all
        const totals = counter.latest()
        return summed(totals === undefined ? [] : [{ id: gateway, totals }], updatedAt)
      })

      const history = Effect.fn("TokenUsage.history")(function* (query: UsageHistoryQuery, gateway?: string) {
        if (gateway !== undefined) yield* counterOf(gateway)
        yield* all
        const rows: Array<UsageHistoryRow> = []
        for (const [gatewayId, counter] of [...counters]) {
          if (gateway !== undefined && gateway !== gatewayId) continue
          const found = yield* refused(counter.history(query))
          rows.push(...(counters.size === 1 ? found : found.map((row) => ({ ...row, gatewayId }))))
        }
        return rows
      })

      const isAnyIncomplete = () => [...counters.values()].some((counter) => !counter.isComplete())
      const hasMore = () => [...counters.values()].some((counter) => counter.hasMore())
      const scanIncomplete = Effect.suspend(() => (isAnyIncomplete() ? Effect.ignore(scanOnce) : Effect.void))
      // Ask the gateway as soon as it's available, not a minute later.
      const changes = yield* bus.subscribe
      yield* PubSub.take(changes).pipe(
        Effect.flatMap((event) =>
          // A scan that's under way may have passed the gateway before it was there, so another one follows.
          isLinkUp(event) && hasBegun ? Effect.andThen(scanIncomplete, scanIncomplete) : Effect.void
        ),
        Effect.forever,
        Effect.forkScoped
      )
      yield* scanOnce.pipe(
        Effect.ignore,
        Effect.andThen(Effect.suspend(() => Effect.sleep(hasMore() ? GO_ON_AFTER : SCAN_EVERY))),
        Effect.forever,
        Effect.delay(FIRST_SCAN_AFTER),
        Effect.forkScoped
      )
      return TokenUsage.of({ summary, history })
    })
  )
}
