import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { assertFailed, kept, unchanged } from "../../../support/update/ranUpdate.ts"
import { runUpdate } from "../../../support/update/runUpdate.ts"
import { makeUpdateHome, type UpdateHome } from "../../../support/update/updateHome.ts"

/** Runs without git's remote and without npm. */
const offline = (home: UpdateHome) => {
  home.git("remote", "set-url", "origin", "http://127.0.0.1:1/owner/name.git")
  home.programs.breakNpm()
}

describe("--rollback", () => {
  it.live("needs neither network nor npm, restarts and looks at the version before; twice there is nothing to do", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      yield* runUpdate(home)
      offline(home)
      const restarts = home.programs.restarts()
      const plan = yield* unchanged(home, runUpdate(home, { rollback: true, dryRun: true }))
      assert.notInclude(plan.told, "npm")
      const back = yield* runUpdate(home, { rollback: true })
      assert.strictEqual(back.outcome, "done", back.told)
      assert.strictEqual(yield* home.runningVersion, "1.0.0")
      assert.strictEqual(home.programs.restarts(), restarts + 1)
      assert.strictEqual(readFileSync(join(home.directory, "notes.txt"), "utf8"), "What is new in 1.0.0\n")
      assert.strictEqual(home.git("status", "--porcelain"), "")
      assert.deepStrictEqual(kept(home), [])
      assert.strictEqual((yield* runUpdate(home, { rollback: true })).outcome, "upToDate")
    })
  )

  it.live("to a version that was not kept says first that it installs and builds again, and does", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      yield* runUpdate(home)
      rmSync(join(home.directory, ".update"), { recursive: true })
      const back = yield* runUpdate(home, { rollback: true, yes: false }, { answer: true })
      assert.strictEqual(back.outcome, "done", back.told)
      assert.match(back.told, /1\.0\.0 weren't kept\. .* needs the network.*Go back to 1\.0\.0\?.*Installing packages/s)
      assert.strictEqual(yield* home.runningVersion, "1.0.0")
    })
  )

  it.live("that cannot install leaves the version in place, and works as soon as it can", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      yield* runUpdate(home)
      rmSync(join(home.directory, ".update"), { recursive: true })
      home.programs.breakNpm()
      assertFailed(yield* runUpdate(home, { rollback: true }), "rollback", "npm ci", "1.1.0 is still in place")
      assert.strictEqual(yield* home.runningVersion, "1.1.0")
      home.programs.mendNpm()
      assert.strictEqual((yield* runUpdate(home, { rollback: true })).outcome, "done")
      assert.strictEqual(yield* home.runningVersion, "1.0.0")
    })
  )

  it.live("to a version that does not become healthy says so, and can be tried again or updated away from", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      yield* runUpdate(home)
      home.programs.refuseRestarts(true)
      home.programs.endService()
      assertFailed(yield* runUpdate(home, { rollback: true }), "rollback", "1.0.0 is in place again, but")
      home.programs.refuseRestarts(false)
      const back = yield* runUpdate(home, { rollback: true })
      assert.strictEqual(back.outcome, "done", back.told)
      assert.strictEqual(yield* home.runningVersion, "1.0.0")
      assert.strictEqual((yield* runUpdate(home)).outcome, "done")
      assert.strictEqual(yield* home.runningVersion, "1.1.0")
    })
  )

  it.live("would not overwrite files of the user's either", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0", {}, { "gone.txt": "in 1.1.0 only" })
      yield* runUpdate(home)
      home.release("1.2.0")
      yield* runUpdate(home)
      writeFileSync(join(home.directory, "gone.txt"), "mine")
      assertFailed(yield* runUpdate(home, { rollback: true }), "preflight", "gone.txt")
      assert.strictEqual(readFileSync(join(home.directory, "gone.txt"), "utf8"), "mine")
      assert.strictEqual(yield* home.runningVersion, "1.2.0")
    })
  )
})
