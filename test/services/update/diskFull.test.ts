import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Option } from "effect"
import { runUpdate } from "../../support/update/runUpdate.ts"
import { makeUpdateHome } from "../../support/update/updateHome.ts"

/** A small disk of its own; `undefined` where this user may not mount one. */
const smallDisk = (megabytes: number) =>
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

const mayMount = (() => {
  try {
    Effect.runSync(Effect.scoped(smallDisk(1)))
    return true
  } catch {
    return false
  }
})()

if (!mayMount) console.log("left out: tests of a full disk need the right to mount one (root)")

const fill = (path: string) => {
  const { bavail, bsize } = statfsSync(path)
  writeFileSync(join(path, "filler"), Buffer.alloc(bavail * bsize))
}

const failure = <A, E>(exit: Exit.Exit<A, E>) =>
  Exit.isFailure(exit) ? Option.getOrUndefined(Cause.findErrorOption(exit.cause)) : undefined

describe.skipIf(!mayMount)("a full disk", { timeout: 60_000 }, () => {
  it.live("under the state of updates: the lock cannot be made, and nothing begins", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      const disk = yield* smallDisk(1)
      fill(disk)
      const { exit } = yield* runUpdate({ ...home, svcHome: disk })
      const error = failure(exit)
      assert.strictEqual(error?.step, "lock", error?.message)
      assert.include(error?.message ?? "", "disk full")
      assert.strictEqual(yield* home.runningVersion, "1.0.0")
    })
  )

  it.live("when the copy of .env is made: nothing was changed", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      const disk = yield* smallDisk(1)
      // Room for the lock, but not for a copy of settings of this length.
      writeFileSync(join(home.directory, ".env"), `${home.dotEnv()}\n# ${"x".repeat(1 << 20)}\n`)
      const head = home.git("rev-parse", "HEAD")
      const { exit } = yield* runUpdate({ ...home, svcHome: disk })
      const error = failure(exit)
      assert.strictEqual(error?.step, "preflight", error?.message)
      assert.include(error?.message ?? "", "copy of .env")
      assert.strictEqual(home.git("rev-parse", "HEAD"), head)
    })
  )

  it.live("in the middle of a build: the old version comes back, and .env is what it was", () =>
    Effect.gen(function* () {
      const disk = yield* smallDisk(24)
      const home = yield* makeUpdateHome({ parent: disk })
      home.release("1.1.0", { build: "fills the disk" })
      const dotEnv = home.dotEnv()
      const { exit, told } = yield* runUpdate(home)
      assert.strictEqual(failure(exit)?.step, "build", told)
      assert.include(told, "Back on 1.0.0")
      assert.strictEqual(yield* home.runningVersion, "1.0.0")
      assert.deepStrictEqual(home.dotEnv(), dotEnv)
    })
  )

  it.live("when packages are installed: the old version comes back", () =>
    Effect.gen(function* () {
      const disk = yield* smallDisk(24)
      const home = yield* makeUpdateHome({ parent: disk })
      home.release("1.1.0")
      mkdirSync(join(home.directory, "node_modules"))
      home.programs.fillOn("npm ci", join(home.directory, "node_modules", "filler"))
      const { exit, told } = yield* runUpdate(home)
      assert.strictEqual(failure(exit)?.step, "build", told)
      assert.strictEqual(yield* home.runningVersion, "1.0.0")
    })
  )
})
