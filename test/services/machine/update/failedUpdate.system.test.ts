import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { assertFailed, kept, unchanged } from "../../../support/update/ranUpdate.ts"
import { runUpdate } from "../../../support/update/runUpdate.ts"
import { makeUpdateHome } from "../../../support/update/updateHome.ts"

describe("an update that fails", () => {
  it.live(
    "at the build has not touched the version in place, and says which lines are wrong and where the rest is",
    () =>
      Effect.gen(function* () {
        const home = yield* makeUpdateHome()
        home.release("1.1.0", { build: "fails" })
        const restarts = home.programs.restarts()
        const ran = yield* unchanged(home, runUpdate(home))
        assertFailed(ran, "build", "npm run build failed")
        assert.include(
          ran.told,
          "    src/thing.ts(3,1): error TS1005: this version does not compile\n    The full output is in"
        )
        assert.include(ran.told, "1.0.0 wasn't touched: everything is as before.")
        assert.notInclude(ran.told, "12.3 kB")
        const log = readFileSync(join(home.svcHome, "updater", "update.log"), "utf8")
        for (const part of ["$ npm ci", "$ npm run build", "part59-abc.js  12.3 kB"]) assert.include(log, part)
        assert.strictEqual(home.programs.restarts(), restarts)
        assert.isFalse(existsSync(join(home.directory, ".update", "next")))
        assert.deepInclude(home.state("last-run.json"), { outcome: "failed" })
      })
  )

  it.live("because the new version doesn't start here changes nothing, also where nothing is restarted", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0", { needsOwnNode: true })
      const ran = yield* unchanged(home, runUpdate(home, { restart: false }))
      assertFailed(ran, "build", "the new version doesn't start on this machine: node dist/cli.js --version failed")
      assert.include(ran.told, "    agent-console needs Node 24 or newer")
      assert.include(ran.told, "1.0.0 wasn't touched: everything is as before.")
      assert.deepInclude(home.state("last-run.json"), { outcome: "failed" })
    })
  )

  it.live.each([
    ["a build that never becomes healthy", { health: 503 }, "health", "/health answered with status 503"],
    ["a build that does not start", { starts: false }, "health", "didn't become healthy within"],
    ["a build that reports another version", { says: "1.0.7" }, "health", "reports version 1.0.7, not 1.1.0"]
  ] as const)("goes back by itself, without npm: %s", ([, behaviour, step, part]) =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0", behaviour)
      const ran = yield* unchanged(home, runUpdate(home))
      assertFailed(ran, step, part)
      assert.include(ran.told, "Back on 1.0.0")
      assert.strictEqual(ran.told.match(/Installing packages/g)?.length, 1, ran.told)
      assert.deepInclude(home.state("last-run.json"), { outcome: "rolled-back" })
      assert.deepStrictEqual(kept(home), [])
    })
  )

  it.live("leaves what the update before kept to go back to", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      yield* runUpdate(home)
      home.release("1.2.0", { health: 503 })
      assertFailed(yield* runUpdate(home), "health")
      const back = yield* runUpdate(home, { rollback: true })
      assert.strictEqual(back.outcome, "done", back.told)
      assert.notInclude(back.told, "Installing packages")
      assert.strictEqual(yield* home.runningVersion, "1.0.0")
    })
  )

  it.live("because the checkout changed while it was prepared leaves that as it is", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      home.programs.stopAt("before npm run")
      const fiber = yield* Effect.forkChild(runUpdate(home))
      yield* home.stopped
      writeFileSync(join(home.directory, "notes.txt"), "my own notes")
      home.programs.resume()
      const ran = yield* Fiber.join(fiber)
      assertFailed(ran, "preflight", "notes.txt")
      assert.strictEqual(readFileSync(join(home.directory, "notes.txt"), "utf8"), "my own notes")
      assert.strictEqual(yield* home.runningVersion, "1.0.0")
    })
  )

  it.live("because git was killed goes back, although its lock is left", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      home.programs.stopAt("before git checkout")
      const fiber = yield* Effect.forkChild(unchanged(home, runUpdate(home)))
      const pid = yield* home.stopped
      writeFileSync(join(home.directory, ".git", "index.lock"), "")
      writeFileSync(join(home.directory, "notes.txt"), "half of it")
      home.programs.goOn("before git checkout")
      process.kill(pid ?? 0, "SIGKILL")
      const ran = yield* Fiber.join(fiber)
      assertFailed(ran, "build", "git", "was killed")
      assert.include(ran.told, "Back on 1.0.0, as before.")
    })
  )

  it.live("at a refused restart goes back: the old console kept running, so all is well again", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      home.programs.refuseRestarts(true)
      assertFailed(yield* unchanged(home, runUpdate(home)), "restart", "didn't restart", "journalctl")
    })
  )

  it.live("and is not healthy after going back either says so, and a later run makes up for it", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0", { starts: false })
      home.programs.endService()
      home.programs.refuseRestarts(true)
      const ran = yield* runUpdate(home)
      assertFailed(ran, "rollback", "going back to 1.0.0 failed", "update --rollback")
      assert.deepInclude(home.state("last-run.json"), { outcome: "rollback-failed" })
      const still = yield* runUpdate(home, { rollback: true })
      assertFailed(still, "rollback", "didn't become healthy within")
      home.programs.refuseRestarts(false)
      const back = yield* runUpdate(home, { rollback: true })
      assert.strictEqual(back.outcome, "done", back.told)
      assert.include(back.told, "so did its rollback")
      assert.strictEqual(yield* home.runningVersion, "1.0.0")
      assert.strictEqual((yield* runUpdate(home, { rollback: true })).exit._tag, "Failure")
    })
  )
})

describe("an update by a console that kept nothing yet", () => {
  it.live("which was cut off in the middle of its changes is gone on with", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      const at = home.git("rev-parse", "HEAD")
      // What older updaters leave when they are killed while packages are installed.
      home.git("fetch", "--quiet", "--tags")
      home.git("checkout", "--quiet", "--detach", "v1.1.0")
      rmSync(join(home.directory, "node_modules"), { recursive: true, force: true })
      mkdirSync(join(home.svcHome, "updater"))
      const snapshot = { ref: at, branch: "main", version: "1.0.0", envHash: null, name: "then", takenAt: 1 }
      const run = {
        ...{ kind: "update", startedAt: 1, finishedAt: null, from: "1.0.0", to: "1.1.0", worker: null, snapshot },
        ...{ phase: "installing packages", outcome: "running", message: null }
      }
      writeFileSync(join(home.svcHome, "updater", "last-run.json"), JSON.stringify(run))

      home.programs.breakNpm()
      assertFailed(yield* runUpdate(home), "rollback", "going back to 1.0.0 failed")
      home.programs.mendNpm()
      const ran = yield* runUpdate(home)
      assert.strictEqual(ran.outcome, "done", ran.told)
      assert.strictEqual(yield* home.runningVersion, "1.1.0")
      assert.deepInclude(home.state("last-good.json"), { version: "1.0.0", ref: at })
      const back = yield* runUpdate(home, { rollback: true })
      assert.strictEqual(back.outcome, "done", back.told)
      assert.include(back.told, "weren't kept")
      assert.strictEqual(yield* home.runningVersion, "1.0.0")
    })
  )
})
