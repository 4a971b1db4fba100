import { Effect, FileSystem, Option, Path, Schema } from "effect"
import type { UsageSummary } from "../../contract/schema/usage.ts"
import { writeFileAtomic } from "../platform/storage/atomicFile.ts"
import type { KeptTotals } from "./store/totalRows.ts"
import { toNano } from "./UsageRow.ts"

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

const NOTHING: KeptTotals = { input: 0, output: 0, nano: 0 }

/** An earlier count's totals from USAGE_FILE, if it exists. */
export const readUsageFile = Effect.fn("readUsageFile")(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* fs.readFileString(path).pipe(Effect.option)
  if (Option.isNone(text)) return NOTHING
  const found = decode(text.value)
  if (Option.isSome(found)) {
    const { totalInput, totalOutput, totalCost } = found.value
    return { input: totalInput, output: totalOutput, nano: toNano(totalCost) }
  }
  yield* Effect.logWarning("USAGE_FILE isn't valid: it has been renamed to end in .damaged, next to the new one")
  yield* Effect.ignore(fs.rename(path, `${path}.damaged`))
  return NOTHING
})

/** Replaces USAGE_FILE if its folder exists; a failure is only logged, because the database has everything. */
export const writeUsageFile = Effect.fn("writeUsageFile")(function* (
  path: string,
  persistent: UsageSummary["persistent"]
) {
  const fs = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  if (!(yield* fs.exists(paths.dirname(path)).pipe(Effect.orElseSucceed(() => false)))) return
  yield* writeFileAtomic(path, `${JSON.stringify(persistent, null, 2)}\n`).pipe(
    Effect.catch((cause) => Effect.logWarning("Couldn't write USAGE_FILE: check the folder's permissions", cause))
  )
})
