import { existsSync, readFileSync } from "node:fs"
import { posix } from "node:path"
import { Effect, Option, Schema } from "effect"
import { failure } from "../../../contract/failures.ts"
import { BACKUP_FILES } from "../backup/backupContents.ts"
import { MadeBackup } from "../backup/writeBackup.ts"
import { type Finding, ok, warning } from "./doctorCheck.ts"

const HOUR_MS = 3_600_000
const DAY_HOURS = 24

const Made = Schema.fromJsonString(Schema.Union([Schema.Array(MadeBackup), MadeBackup]))
const decodeMade = Schema.decodeUnknownOption(Made)

const madeIn = (file: string) =>
  Effect.try(() => readFileSync(file, "utf8")).pipe(
    Effect.map((text) => Option.getOrElse(decodeMade(text), (): ReadonlyArray<MadeBackup> => [])),
    Effect.orElseSucceed((): ReadonlyArray<MadeBackup> => [])
  )

/** When the last backup was made that is still where it was put (epoch ms); `undefined` if there is none. */
export const lastBackup = Effect.fn("lastBackup")(function* (svcHome: string) {
  const notes = yield* Effect.forEach([BACKUP_FILES.last, BACKUP_FILES.automatic], (name) =>
    madeIn(posix.join(svcHome, name))
  )
  const there = notes.flat().filter(({ file }) => existsSync(file))
  return there.length === 0 ? undefined : Math.max(...there.map(({ at }) => at))
})

/** How old the last backup is; `every` is how many hours the console should let pass, 0 if it makes none by itself. */
export const backupFinding = (last: number | undefined, every: number, now: number): Finding => {
  const overdue = failure("BACKUP_OVERDUE")
  if (last === undefined) return every === 0 ? ok(failure("BACKUP_NONE")) : warning(failure("BACKUP_NONE"), overdue)
  const hours = Math.max(0, Math.floor((now - last) / HOUR_MS))
  const days = Math.floor(hours / DAY_HOURS)
  const age =
    hours === 0
      ? failure("BACKUP_FRESH")
      : days < 2
        ? failure("BACKUP_HOURS", { hours })
        : failure("BACKUP_DAYS", { days })
  // A console that was switched off for a while makes one at its start.
  return every > 0 && hours > every ? warning(age, overdue) : ok(age)
}
