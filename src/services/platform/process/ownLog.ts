import { fstatSync, statSync } from "node:fs"
import { join } from "node:path"
import { Effect, FileSystem, Layer, Result, Schedule } from "effect"
import { orWarn } from "../orWarn.ts"
import { ServerReady } from "../ServerReady.ts"
import { Settings } from "../settings/Settings.ts"

/** The file in the console's folder into which launchd writes what the console says. */
export const OWN_LOG = "console.log"

const MAX_BYTES = 10 * 1024 * 1024
const LOOK_EVERY = "10 minutes"
const STDOUT = 1

/** Whether what is written to this descriptor goes into that file. */
const goesInto = (descriptor: number, file: string): boolean =>
  Result.getOrElse(
    Result.try(() => {
      const [open, named] = [fstatSync(descriptor, { bigint: true }), statSync(file, { bigint: true })]
      return open.dev === named.dev && open.ino === named.ino
    }),
    () => false
  )

/**
 * Puts a log aside as `<file>.1` once it's longer than 10 MiB, in place of the one before. The file stays the same one,
 * because launchd keeps it open, for appending.
 */
export const shortenLog = Effect.fnUntraced(function* (file: string, descriptor: number) {
  if (!goesInto(descriptor, file)) return
  const fs = yield* FileSystem.FileSystem
  const { size } = yield* fs.stat(file)
  if (size <= MAX_BYTES) return
  yield* fs.copyFile(file, `${file}.1`)
  yield* fs.truncate(file)
})

/** Keeps the console's log from growing for years, where nothing else does: systemd and containers do that themselves. */
export const OwnLog = Layer.effectDiscard(
  Effect.gen(function* () {
    const { svcHome } = yield* Settings
    const serverReady = yield* ServerReady
    const platform = yield* Effect.context<FileSystem.FileSystem>()
    const shorten = shortenLog(join(svcHome, OWN_LOG), STDOUT).pipe(
      orWarn("Couldn't shorten the log"),
      Effect.provideContext(platform)
    )
    yield* serverReady.wait.pipe(Effect.andThen(Effect.repeat(shorten, Schedule.spaced(LOOK_EVERY))), Effect.forkScoped)
  })
)
