import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { temporaryDirectory } from "./runConsole.ts"

/** Whether this system can show a folder through a file system of a program's own. */
export const hasBindfs =
  spawnSync("bindfs", ["--version"]).status === 0 && spawnSync("test", ["-w", "/dev/fuse"]).status === 0
if (!hasBindfs) console.log("skipped: bindfs isn't installed, or this system has no FUSE")

/** A folder, and the same one seen through FUSE with these options, until the scope closes. */
export const throughFuse = (...options: ReadonlyArray<string>) =>
  Effect.flatMap(temporaryDirectory, (directory) => {
    const [folder, seen] = [join(directory, "folder"), join(directory, "seen")]
    mkdirSync(folder)
    mkdirSync(seen)
    return Effect.acquireRelease(
      Effect.sync(() => {
        execFileSync("bindfs", [...options, folder, seen])
        return { directory, folder, seen }
      }),
      () => Effect.sync(() => spawnSync("umount", ["--lazy", seen]))
    )
  })
