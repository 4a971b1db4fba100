import { homedir } from "node:os"
import { posix } from "node:path"
import { Clock, Context, DateTime, Effect, FileSystem, Layer, Ref } from "effect"
import { Commands } from "./Commands.ts"
import { UpdateTarget } from "./UpdateTarget.ts"

export interface UpdateLogShape {
  /** Starts a run's log; the previous run's log is kept next to it. */
  readonly begin: Effect.Effect<void>
  /** Its location, for people. */
  readonly name: string
}

const NAME = "update.log"
const PRIVATE_FILE = 0o600
const PRIVATE_FOLDER = 0o700
/** How many characters of one run are kept: a runaway build must not fill the disk. */
const MOST = 8 * 1024 * 1024

const withoutPasswords = (text: string) => text.replace(/\/\/[^/@\s]+@/g, "//")

/** All output of an update's programs, for when the lines on screen aren't enough. */
export class UpdateLog extends Context.Service<UpdateLog, UpdateLogShape>()(
  "agent-console/services/machine/update/UpdateLog"
) {
  static readonly layer = Layer.effect(
    UpdateLog,
    Effect.gen(function* () {
      const { svcHome } = yield* UpdateTarget
      const commands = yield* Commands
      const fs = yield* FileSystem.FileSystem
      const folder = posix.join(svcHome, "updater")
      const file = posix.join(folder, NAME)
      const home = posix.join(homedir(), "/")
      const written = yield* Ref.make(0)

      const append = Effect.fnUntraced(function* (text: string) {
        if ((yield* Ref.get(written)) >= MOST) return
        yield* Ref.update(written, (length) => length + text.length)
        // The update continues even without a log.
        yield* Effect.ignore(fs.writeFileString(file, withoutPasswords(text), { flag: "a", mode: PRIVATE_FILE }))
      })

      const begin = Effect.gen(function* () {
        yield* Effect.ignore(fs.rename(file, `${file}.1`))
        yield* Effect.ignore(fs.makeDirectory(folder, { recursive: true, mode: PRIVATE_FOLDER }))
        yield* append(`${DateTime.formatIso(DateTime.makeUnsafe(yield* Clock.currentTimeMillis))}\n`)
        yield* commands.onOutput(append)
      })

      return UpdateLog.of({
        begin,
        name: file.startsWith(home) ? `~/${file.slice(home.length)}` : `${NAME} in the console's updater folder`
      })
    })
  )
}
