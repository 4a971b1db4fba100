import { randomBytes } from "node:crypto"
import { watch } from "node:fs"
import { rm, writeFile } from "node:fs/promises"
import { posix } from "node:path"
import { Effect, Result } from "effect"
import { fileSystemOf } from "../../platform/storage/fileSystems.ts"

const PATIENCE = "2 seconds"

/** Whether changes to a folder are heard of: `silent` if not even those of this machine, `elsewhere` if no other's. */
export interface Hearing {
  readonly deafTo: "silent" | "elsewhere" | undefined
  /** What the folder is on, where it isn't an ordinary disk. */
  readonly fileSystem: string | undefined
}

/** Touches a file in the folder, and waits until the system tells of it. The name is one that the console's watchers leave out. */
const isHeard = (folder: string) =>
  Effect.callback<boolean>((resume) => {
    const name = `.doctor.${randomBytes(6).toString("hex")}.tmp`
    const path = posix.join(folder, name)
    const watching = Result.try(() =>
      watch(folder, (_event, changed) => {
        if (changed === name) end(true)
      })
    )
    const close = () => {
      if (Result.isSuccess(watching)) watching.success.close()
      return rm(path, { force: true }).catch(() => undefined)
    }
    const end = (isToldOf: boolean) => {
      void close().then(() => resume(Effect.succeed(isToldOf)))
    }
    // It fails where the system has no watches left.
    if (Result.isFailure(watching)) end(false)
    else {
      watching.success.on("error", () => end(false))
      writeFile(path, "").catch(() => end(false))
    }
    return Effect.promise(close)
  }).pipe(
    Effect.timeout(PATIENCE),
    Effect.orElseSucceed(() => false)
  )

/** Looks whether the console hears of changes to a folder that this user may write to. */
export const lookAtWorkspace = Effect.fn("lookAtWorkspace")(function* (folder: string) {
  const kind = fileSystemOf(folder)
  const found: Hearing = {
    deafTo: !(yield* isHeard(folder)) ? "silent" : kind?.isShared === true ? "elsewhere" : undefined,
    fileSystem: kind?.name
  }
  return found
})
