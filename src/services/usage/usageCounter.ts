import { Clock, DateTime, Effect, FileSystem, Option, Path, Schema } from "effect"
import type { UsageSummary } from "../../contract/schema/usage.ts"
import type { GatewayClientShape } from "../gateway/client/GatewayClient.ts"
import { writeFileAtomic } from "../platform/storage/atomicFile.ts"
import type { transcriptFolders } from "../transcripts/transcriptFolders.ts"
import { makeGatewayUsageSource } from "./GatewayUsageSource.ts"
import type { KeptTotals, Totals } from "./store/totalRows.ts"
import { NANO, toNano } from "./UsageRow.ts"
import { makeUsageThread } from "./UsageThread.ts"
import type { UsageHistoryQuery } from "./usageSchemas.ts"

/** Contents of USAGE_FILE: all-time totals, costs in US dollars. */
const Contents = Schema.fromJsonString(
  Schema.Struct({
    totalInput: Schema.Int,
    totalOutput: Schema.Int,
    totalCost: Schema.Finite,
    lastUpdated: Schema.optionalKey(Schema.String)
  })
)
const decode = Schema.decodeUnknownOption(Contents)

/** An earlier count's totals from USAGE_FILE, if it exists. */
const readUsageFile = Effect.fn("readUsageFile")(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* fs.readFileString(path).pipe(Effect.option)
  if (Option.isNone(text)) return { input: 0, output: 0, nano: 0 }
  const found = decode(text.value)
  if (Option.isSome(found)) {
    const { totalInput, totalOutput, totalCost } = found.value
    return { input: totalInput, output: totalOutput, nano: toNano(totalCost) }
  }
  yield* Effect.logWarning("USAGE_FILE isn't valid: it has been renamed to end in .damaged, next to the new one")
  yield* Effect.ignore(fs.rename(path, `${path}.damaged`))
  return { input: 0, output: 0, nano: 0 }
})

/** Replaces USAGE_FILE if its folder exists; a failure is only logged, because the database has everything. */
const writeUsageFile = Effect.fn("writeUsageFile")(function* (path: string, persistent: UsageSummary["persistent"]) {
  const fs = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  if (!(yield* fs.exists(paths.dirname(path)).pipe(Effect.orElseSucceed(() => false)))) return
  yield* writeFileAtomic(path, `${JSON.stringify(persistent, null, 2)}\n`).pipe(
    Effect.catch((cause) => Effect.logWarning("Couldn't write USAGE_FILE: check the folder's permissions", cause))
  )
})

interface CounterOptions {
  readonly gateway: GatewayClientShape
  /** Its database. */
  readonly file: string
  /** The transcripts on this machine, for the gateway whose files are here. */
  readonly transcripts?: {
    readonly folders: ReturnType<typeof transcriptFolders>
    /** Keeps the all-time totals outside the database. */
    readonly usageFile: string
  }
}

const figures = ({ persistent: { lastUpdated: _, ...persistent }, ...current }: Totals) =>
  JSON.stringify([current, persistent])

/** The totals with a `persistent` that's never below an earlier count. */
const notBelow = (totals: Totals, earlier: KeptTotals): Totals => {
  const { totalInput, totalOutput, totalCost, lastUpdated } = totals.persistent
  return {
    ...totals,
    persistent: {
      totalInput: Math.max(totalInput, earlier.input),
      totalOutput: Math.max(totalOutput, earlier.output),
      totalCost: Math.max(totalCost, earlier.nano / NANO),
      lastUpdated
    }
  }
}

const NOTHING = { input: 0, output: 0, nano: 0 } as const

/** Counts the usage of one gateway in a database of its own. */
export const makeUsageCounter = Effect.fnUntraced(function* ({ file, gateway, transcripts }: CounterOptions) {
  const ask = yield* makeUsageThread(file)
  const source = makeGatewayUsageSource(gateway, ask, transcripts !== undefined)
  const earlier = Effect.gen(function* () {
    if (transcripts === undefined) return NOTHING
    const kept = yield* readUsageFile(transcripts.usageFile)
    const excess = yield* ask("excess")
    return { input: kept.input - excess.input, output: kept.output - excess.output, nano: kept.nano - excess.nano }
  })

  /**
   * Until everything has been counted once, `persistent` is the result of an earlier count and nothing is added to
   * it: while the gateway is away or still counting, there's no telling how much of that it will report again.
   */
  const totals = Effect.gen(function* () {
    const found = yield* ask("totals")
    return (yield* ask("isSettled")) ? found : notBelow(found, yield* earlier)
  })
  const settle = Effect.fnUntraced(function* (now: string) {
    if (yield* ask("isSettled")) return
    yield* ask("settle", yield* earlier, now)
  })

  let latest: Totals | undefined
  let isComplete = false
  /** Whether USAGE_FILE has the result of a recount, if there was one. */
  let isRecounted = false

  /** Counts what's new, and says whether the totals are others than before. */
  const scan = Effect.gen(function* () {
    const folders = transcripts === undefined ? [] : yield* transcripts.folders
    const before = latest ?? (yield* totals)
    if (folders.length > 0) yield* ask("scan", folders)
    isComplete = yield* source.refresh
    const now = DateTime.formatIso(DateTime.makeUnsafe(yield* Clock.currentTimeMillis))
    if (isComplete) yield* settle(now)
    const found = yield* totals
    const isNew = figures(found) !== figures(before)
    const lastUpdated = isNew ? now : found.persistent.lastUpdated || before.persistent.lastUpdated || now
    latest = { ...found, persistent: { ...found.persistent, lastUpdated } }
    if (isNew) {
      yield* source.noteWork
      yield* ask("touch", now)
      if (transcripts !== undefined) yield* writeUsageFile(transcripts.usageFile, latest.persistent)
    }
    if (folders.length > 0 && !isRecounted) {
      yield* ask("endRecount")
      isRecounted = true
    }
    return isNew
  })

  return {
    scan,
    latest: () => latest,
    /** Whether the last scan found everything that the gateway knows. */
    isComplete: () => isComplete,
    /** Whether the gateway has more days than one scan takes. */
    hasMore: source.hasMore,
    history: (query: UsageHistoryQuery) => ask("history", query)
  }
})
