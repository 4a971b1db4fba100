import { Clock, Context, DateTime, Effect, type FileSystem, Layer, Path, PubSub, Schedule, Schema } from "effect"
import { GatewayClient } from "../gateway/client/GatewayClient.ts"
import { EventBus } from "../platform/events/EventBus.ts"
import { Settings } from "../platform/settings/Settings.ts"
import { makeSingleFlight } from "../platform/singleFlight.ts"
import { makeGatewayUsageSource } from "./GatewayUsageSource.ts"
import { notBelow } from "./notBelow.ts"
import type { Totals } from "./store/totalRows.ts"
import { transcriptFolders } from "./transcripts/transcriptFolders.ts"
import { readUsageFile, writeUsageFile } from "./UsageFile.ts"
import { makeUsageThread } from "./UsageThread.ts"
import type { UsageHistoryQuery, UsageHistoryRow } from "./usageHistory.ts"
import type { UsageSummary } from "./usageSummary.ts"

/** The usage couldn't be counted; `message` is for people. */
export class UsageUnavailable extends Schema.TaggedError<UsageUnavailable>()("UsageUnavailable", {
  message: Schema.String,
  cause: Schema.Defect()
}) {}

export interface TokenUsageShape {
  /** The current totals, at most 60 s old. */
  readonly summary: Effect.Effect<UsageSummary, UsageUnavailable>
  /** The totals per group between two days, including deleted transcripts; as fresh as the summary. */
  readonly history: (query: UsageHistoryQuery) => Effect.Effect<ReadonlyArray<UsageHistoryRow>, UsageUnavailable>
}

const FRESH_FOR_MS = 60_000
const SCAN_EVERY = "60 seconds"
/** The first scan waits until after start-up, for what people are waiting for. */
const FIRST_SCAN_AFTER = "1 second"

const isLinkUp = Schema.is(
  Schema.Struct({
    event: Schema.Literal("status.changed"),
    data: Schema.Struct({ gateway: Schema.Literal("ok") })
  })
)

const unavailable = (cause: unknown) =>
  new UsageUnavailable({ message: "couldn't count the token usage: the console's log has the cause", cause })

const figures = ({ persistent: { lastUpdated: _, ...persistent }, ...current }: Totals) =>
  JSON.stringify([current, persistent])

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
      const paths = yield* Path.Path
      const ask = yield* makeUsageThread(paths.join(settings.svcHome, "usage.db"))
      const source = makeGatewayUsageSource(yield* GatewayClient, ask)

      /**
       * Until everything has been counted once, `persistent` is the result of an earlier count and nothing is added to
       * it: while the gateway is away or still counting, there's no telling how much of that it will report again.
       */
      const totals = Effect.gen(function* () {
        const found = yield* ask("totals")
        return (yield* ask("isSettled")) ? found : notBelow(found, yield* readUsageFile(settings.usageFile))
      })
      const settle = Effect.fnUntraced(function* (now: string) {
        if (yield* ask("isSettled")) return
        yield* ask("settle", yield* readUsageFile(settings.usageFile), now)
      })

      let latest: UsageSummary | undefined
      let isComplete = false
      const scan = Effect.gen(function* () {
        const folders = yield* transcriptFolders(settings)
        const before = latest ?? (yield* totals)
        if (folders.length > 0) yield* ask("scan", folders)
        isComplete = yield* source.refresh
        const updatedAt = yield* Clock.currentTimeMillis
        const now = DateTime.formatIso(DateTime.makeUnsafe(updatedAt))
        if (isComplete) yield* settle(now)
        const { updatedAt: _, ...previous } = { updatedAt: 0, ...before }
        const found = yield* totals
        if (figures(found) === figures(previous)) {
          const lastUpdated = found.persistent.lastUpdated || previous.persistent.lastUpdated || now
          latest = { ...found, persistent: { ...found.persistent, lastUpdated }, updatedAt }
          return latest
        }
        yield* source.noteWork
        yield* ask("touch", now)
        latest = { ...found, persistent: { ...found.persistent, lastUpdated: now }, updatedAt }
        const { totalCost, totalInput, totalOutput, persistent } = latest
        yield* writeUsageFile(settings.usageFile, persistent)
        yield* bus.publish({ event: "tokens.updated", data: { totalCost, totalInput, totalOutput, updatedAt } })
        return latest
      }).pipe(
        Effect.provideContext(platform),
        Effect.tapError((error) => Effect.logError("Couldn't count the token usage", error)),
        Effect.mapError(unavailable),
        Effect.withSpan("TokenUsage.scan")
      )

      const scanOnce = yield* makeSingleFlight(scan)

      const summary = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        return latest !== undefined && now - latest.updatedAt < FRESH_FOR_MS ? latest : yield* scanOnce
      })

      const history = Effect.fn("TokenUsage.history")(function* (query: UsageHistoryQuery) {
        yield* summary
        return yield* Effect.mapError(ask("history", query), unavailable)
      })

      // Ask the gateway as soon as it's available, not a minute later.
      const changes = yield* bus.subscribe
      yield* PubSub.take(changes).pipe(
        Effect.flatMap((event) =>
          isLinkUp(event) && latest !== undefined && !isComplete ? Effect.ignore(scanOnce) : Effect.void
        ),
        Effect.forever,
        Effect.forkScoped
      )
      yield* scanOnce.pipe(
        Effect.ignore,
        Effect.repeat(Schedule.spaced(SCAN_EVERY)),
        Effect.delay(FIRST_SCAN_AFTER),
        Effect.forkScoped
      )
      return TokenUsage.of({ summary, history })
    })
  )
}
