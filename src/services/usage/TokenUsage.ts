import {
  Clock,
  Context,
  DateTime,
  Effect,
  Fiber,
  FiberHandle,
  type FileSystem,
  Layer,
  Path,
  Result,
  Schedule,
  Schema,
  Scope
} from "effect"
import { EventBus } from "../events/EventBus.ts"
import { GatewayClient } from "../gateway/GatewayClient.ts"
import { Settings } from "../settings/Settings.ts"
import { openSqlite } from "../sqlite/openSqlite.ts"
import type { SqliteShape } from "../sqlite/Sqlite.ts"
import { makeGatewayUsageSource } from "./GatewayUsageSource.ts"
import { makeTranscriptScans } from "./transcripts/TranscriptScans.ts"
import { transcriptFolders } from "./transcripts/transcriptFolders.ts"
import { readUsageFile, writeUsageFile } from "./UsageFile.ts"
import { readHistory, type UsageHistoryQuery } from "./usageHistory.ts"
import { usageMigrations } from "./usageMigrations.ts"
import { isSettled, readTotals, settle, type Totals, touch, type UsageSummary } from "./usageTotals.ts"

/** The usage could not be counted; `message` is for people. */
export class UsageUnavailable extends Schema.TaggedError<UsageUnavailable>()("UsageUnavailable", {
  message: Schema.String,
  cause: Schema.Defect()
}) {}

export interface TokenUsageShape {
  /** The sums of now; at most 60 s old (SPEC "Token usage"). */
  readonly summary: Effect.Effect<UsageSummary, UsageUnavailable>
  /** The sums of each group between two days, deleted transcripts included; as fresh as the summary. */
  readonly history: (query: UsageHistoryQuery) => Effect.Effect<ReturnType<typeof readHistory>, UsageUnavailable>
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
      const scope = yield* Effect.scope
      const scanTranscripts = yield* makeTranscriptScans
      const askGateway = makeGatewayUsageSource(yield* GatewayClient)

      const openStore = Effect.gen(function* () {
        const path = paths.join(settings.svcHome, "usage.db")
        const sqlite = yield* openSqlite({ path, migrations: usageMigrations, onDamage: "setAside" })
        // What a power cut takes from this file is in the transcripts still, and is read again.
        yield* sqlite.read((db) => db.run("PRAGMA synchronous = NORMAL"))
        return sqlite
      }).pipe(Scope.provide(scope), Effect.uninterruptible)
      let opened: SqliteShape | undefined
      const store = Effect.suspend(() =>
        opened === undefined
          ? Effect.tap(openStore, (sqlite) =>
              Effect.sync(() => {
                opened = sqlite
              })
            )
          : Effect.succeed(opened)
      )

      const firstScanEnds = Effect.fnUntraced(function* (sqlite: SqliteShape, now: string) {
        if (yield* sqlite.read(isSettled)) return
        const earlier = yield* readUsageFile(settings.usageFile)
        yield* sqlite.transaction((db) => Result.succeed(settle(db, earlier, now)))
      })

      let latest: UsageSummary | undefined
      const scan = Effect.gen(function* () {
        const folders = yield* transcriptFolders(settings)
        const sqlite = yield* store
        const before = latest ?? (yield* sqlite.read(readTotals))
        if (folders.length > 0) yield* scanTranscripts(sqlite, folders)
        yield* askGateway(sqlite)
        const updatedAt = yield* Clock.currentTimeMillis
        const now = DateTime.formatIso(DateTime.makeUnsafe(updatedAt))
        yield* firstScanEnds(sqlite, now)
        const { updatedAt: _, ...previous } = { updatedAt: 0, ...before }
        const found = yield* sqlite.read(readTotals)
        if (figures(found) === figures(previous)) {
          latest = { ...found, updatedAt }
          return latest
        }
        yield* sqlite.transaction((db) => Result.succeed(touch(db, now)))
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

      // Whoever asks joins the scan under way; it goes on when they leave.
      const flight = yield* FiberHandle.make<UsageSummary, UsageUnavailable>()
      const scanOnce = Effect.flatMap(FiberHandle.run(flight, scan, { onlyIfMissing: true }), Fiber.join)

      const summary = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        return latest !== undefined && now - latest.updatedAt < FRESH_FOR_MS ? latest : yield* scanOnce
      })

      const history = Effect.fn("TokenUsage.history")(function* (query: UsageHistoryQuery) {
        yield* summary
        return yield* Effect.flatMap(store, (sqlite) => sqlite.read((db) => readHistory(db, query))).pipe(
          Effect.mapError(unavailable)
        )
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
