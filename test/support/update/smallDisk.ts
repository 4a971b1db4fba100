import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"

/** A small disk of its own in memory, for as long as the scope lasts. */
export const smallDisk = (megabytes: number) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const path = mkdtempSync(join(tmpdir(), "agent-console-disk-"))
      execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "none", path], { stdio: "ignore" })
      return path
    }),
    (path) =>
      Effect.sync(() => {
        execFileSync("umount", ["--lazy", path], { stdio: "ignore" })
        rmSync(path, { recursive: true, force: true })
      })
  )

/** Whether this user may mount one. */
export const mayMount: boolean = (() => {
  try {
    Effect.runSync(Effect.scoped(smallDisk(1)))
    return true
  } catch {
    return false
  }
})()
