import { existsSync, mkdirSync, statfsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Option } from "effect"
import { runUpdate } from "../../../support/update/runUpdate.ts"
import { mayMount, smallDisk } from "../../../support/update/smallDisk.ts"
import { makeUpdateHome } from "../../../support/update/updateHome.ts"

if (!mayMount) console.log("left out: tests of a full disk need the right to mount one (root)")

const fill = (path: string) => {
  const { bavail, bsize } = statfsSync(path)
  writeFileSync(join(path, "filler"), Buffer.alloc(bavail * bsize))
}

const failure = <A, E>(exit: Exit.Exit<A, E>) =>
  Exit.isFailure(exit) ? Option.getOrUndefined(Cause.findErrorOption(exit.cause)) : undefined

describe.skipIf(!mayMount)("a full disk (needs mounts of its own)", () => {
  it.live("under the state of updates: the lock cannot be made, and nothing begins", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      const disk = yield* smallDisk(1)
      fill(disk)
      const { exit } = yield* runUpdate({ ...home, svcHome: disk })
      const error = failure(exit)
      assert.strictEqual(error?.step, "lock", error?.message)
      assert.include(error?.message ?? "", "disk is full")
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
      assert.include(error?.message ?? "", "couldn't copy .env")
      assert.strictEqual(home.git("rev-parse", "HEAD"), head)
    })
  )

  it.live("in the middle of a build: the old version was not touched, and there is room again", () =>
    Effect.gen(function* () {
      const disk = yield* smallDisk(24)
      const home = yield* makeUpdateHome({ parent: disk })
      home.release("1.1.0", { build: "fills the disk" })
      const dotEnv = home.dotEnv()
      const { bavail } = statfsSync(disk)
      const { exit, told } = yield* runUpdate(home)
      assert.strictEqual(failure(exit)?.step, "build", told)
      assert.include(told, "no space left on device")
      assert.include(told, "1.0.0 wasn't touched")
      assert.strictEqual(yield* home.runningVersion, "1.0.0")
      assert.deepStrictEqual(home.dotEnv(), dotEnv)
      assert.isAbove(statfsSync(disk).bavail, bavail / 2)
      assert.deepInclude(home.state("last-run.json"), { outcome: "failed" })
    })
  )

  it.live("when packages are installed: the old version was not touched", () =>
    Effect.gen(function* () {
      const disk = yield* smallDisk(24)
      const home = yield* makeUpdateHome({ parent: disk })
      home.release("1.1.0")
      mkdirSync(join(home.directory, "node_modules"))
      home.programs.fillOn("npm ci", join(home.directory, ".update", "next", "filler"))
      const { exit, told } = yield* runUpdate(home)
      assert.strictEqual(failure(exit)?.step, "build", told)
      assert.isTrue(existsSync(join(home.directory, "node_modules")))
      assert.strictEqual(yield* home.runningVersion, "1.0.0")
    })
  )
})
