import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, type Scope } from "effect"

const SIZE = "64M"

/** How long ext4 may delay writes without a sync, in seconds: longer than a test. */
const KEEP = 300

const mount = (image: string, folder: string) =>
  spawnSync("mount", ["-t", "ext4", "-o", `loop,commit=${KEEP}`, image, folder]).status === 0

const attached = Effect.fnUntraced(function* (image: string, folder: string) {
  mkdirSync(folder)
  return yield* Effect.acquireRelease(
    Effect.sync(() => {
      if (!mount(image, folder)) throw new Error("the disk can't be mounted")
      return folder
    }),
    () => Effect.sync(() => execFileSync("umount", ["--lazy", folder]))
  )
})

/** A file system on a disk of its own, and a copy of that disk as it is at the moment its power is cut. */
export interface CutDisk {
  readonly folder: string
  /** The file system of the copy, with only the data written to the disk; all users of the disk must be stopped. */
  readonly cut: Effect.Effect<string, never, Scope.Scope>
}

const freshFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "agent-console-disk-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** An ext4 disk for the surrounding scope. */
export const cutDisk: Effect.Effect<CutDisk, never, Scope.Scope> = Effect.gen(function* () {
  const place = yield* freshFolder
  const image = join(place, "disk")
  execFileSync("truncate", ["--size", SIZE, image])
  execFileSync("mkfs.ext4", ["-q", image])
  const folder = yield* attached(image, join(place, "before"))
  const cut = Effect.suspend(() => {
    const copy = join(place, "copy")
    execFileSync("cp", ["--sparse=always", image, copy])
    return attached(copy, join(place, "after"))
  })
  return { folder, cut }
})

/** Whether this process may mount a disk in a file. */
export const canCutPower = Effect.runSync(
  cutDisk.pipe(
    Effect.scoped,
    Effect.as(true),
    Effect.catchDefect(() => Effect.succeed(false))
  )
)

const isStopped = (pid: number): boolean =>
  readdirSync(`/proc/${pid}/task`).every((thread) =>
    / T /.test(readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8").replace(/^.*\)/s, ""))
  )

/** Suspends a process once the system has finished its pending calls. */
export const freeze = (pid: number) =>
  Effect.sync(() => process.kill(pid, "SIGSTOP")).pipe(
    Effect.andThen(
      Effect.repeat(
        Effect.delay(
          Effect.sync(() => isStopped(pid)),
          "1 millis"
        ),
        { until: (all) => all }
      )
    )
  )
