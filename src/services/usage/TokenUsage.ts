import { Clock, Context, DateTime, Effect, type FileSystem, Layer, Path, Schedule, Schema } from "effect"
import { EventBus } from "../events/EventBus.ts"
import { makeSharedFlight } from "../flight/makeSharedFlight.ts"
import { GatewayClient } from "../gateway/GatewayClient.ts"
import { Settings } from "../settings/Settings.ts"
import { makeGatewayUsageSource } from "./GatewayUsageSource.ts"
import type { Totals } from "./store/totalRows.ts"
import { transcriptFolders } from "./transcripts/transcriptFolders.ts"
import { readUsageFile, writeUsageFile } from "./UsageFile.ts"
import { makeUsageThread } from "./UsageThread.ts"
import type { UsageHistoryQuery, UsageHistoryRow } from "./usageHistory.ts"
import type { UsageSummary } from "./usageSummary.ts"

/** The usage could not be counted; `message` is for people. */
export class UsageUnavailable extends Schema.TaggedError<UsageUnavailable>()("UsageUnavailable", {
  message: Schema.String,
  cause: Schema.Defect()
}) {}

export interface TokenUsageShape {
  /** The sums of now; at most 60 s old (SPEC "Token usage"). */
  readonly summary: Effect.Effect<UsageSummary, UsageUnavailable>
  /** The sums of each group between two days, deleted transcripts included; as fresh as the summary. */
  readonly history: (query: UsageHistoryQuery) => Effect.Effect<ReadonlyArray<UsageHistoryRow>, UsageUnavailable>
}

const FRESH_FOR_MS = 60_000
const SCAN_EVERY = "60 seconds"
/** The first scan leaves the start to what people wait for. */
const FIRST_SCAN_AFTER = "1 second"

const unavailable = (cause: unknown) =>
  new UsageUnavailable({ message: "the token usage could not be counted: the console's log has the cause", cause })

const figures = ({ persistent: { lastUpdated: _, ...persistent }, ...current }: Totals) =>
  JSON.stringify([current, persistent])

/** Token usage of all agents, counted from their transcripts (D60); tells `tokens.updated` (D61). */
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
      const askGateway = makeGatewayUsageSource(yield* GatewayClient, ask)

      const firstScanEnds = Effect.fnUntraced(function* (now: string) {
        if (yield* ask("isSettled")) return
        yield* ask("settle", yield* readUsageFile(settings.usageFile), now)
      })

      let latest: UsageSummary | undefined
      const scan = Effect.gen(function* () {
        const folders = yield* transcriptFolders(settings)
        const before = latest ?? (yield* ask("totals"))
        if (folders.length > 0) yield* ask("scan", folders)
        yield* askGateway
        const updatedAt = yield* Clock.currentTimeMillis
        const now = DateTime.formatIso(DateTime.makeUnsafe(updatedAt))
        yield* firstScanEnds(now)
        const { updatedAt: _, ...previous } = { updatedAt: 0, ...before }
        const found = yield* ask("totals")
        if (figures(found) === figures(previous)) {
          latest = { ...found, updatedAt }
          return latest
        }
        yield* ask("touch", now)
        latest = { ...found, persistent: { ...found.persistent, lastUpdated: now }, updatedAt }
        const { totalCost, totalInput, totalOutput, persistent } = latest
        yield* writeUsageFile(settings.usageFile, persistent)
        yield* bus.publish("tokens.updated", { totalCost, totalInput, totalOutput, updatedAt })
        return latest
      }).pipe(
        Effect.provideContext(platform),
        Effect.tapError((error) => Effect.logError("the token usage could not be counted", error)),
        Effect.mapError(unavailable),
        Effect.withSpan("TokenUsage.scan")
      )

      const scanOnce = yield* makeSharedFlight(scan)

      const summary = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        return latest !== undefined && now - latest.updatedAt < FRESH_FOR_MS ? latest : yield* scanOnce
      })

      const history = Effect.fn("TokenUsage.history")(function* (query: UsageHistoryQuery) {
        yield* summary
        return yield* Effect.mapError(ask("history", query), unavailable)
      })

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
