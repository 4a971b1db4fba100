import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Option } from "effect"
import type { FailedStep } from "../../../src/services/update/UpdateFailure.ts"
import { runUpdate } from "../../support/update/runUpdate.ts"
import { makeUpdateHome, type UpdateHome } from "../../support/update/updateHome.ts"

type Ran = Effect.Success<ReturnType<typeof runUpdate>>

const failure = ({ exit }: Ran) =>
  Exit.isFailure(exit) ? Option.getOrUndefined(Cause.findErrorOption(exit.cause)) : undefined

const assertFailed = (ran: Ran, step: FailedStep, ...parts: ReadonlyArray<string>) => {
  const error = failure(ran)
  assert.strictEqual(error?.step, step, `${error?.message}\n${ran.told}`)
  for (const part of parts) assert.include(error?.message ?? "", part)
}

/** Runs what should leave everything as it was, and sees that it did. */
const unchanged = (home: UpdateHome, run: Effect.Effect<Ran>) =>
  Effect.gen(function* () {
    const [head, branch, dotEnv] = [home.git("rev-parse", "HEAD"), home.git("symbolic-ref", "HEAD"), home.dotEnv()]
    const version = yield* home.runningVersion
    const ran = yield* run
    assert.strictEqual(home.git("rev-parse", "HEAD"), head)
    assert.strictEqual(home.git("symbolic-ref", "HEAD"), branch)
    assert.strictEqual(home.git("status", "--porcelain"), "")
    assert.deepStrictEqual(home.dotEnv(), dotEnv)
    assert.strictEqual(yield* home.runningVersion, version)
    assert.isFalse(existsSync(join(home.svcHome, "updater", "update.lock")))
    return ran
  })

describe("an update", { timeout: 60_000 }, () => {
  it.live("brings the latest version into place and restarts the service; then there is nothing to do", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome({ realNpm: true })
      home.release("1.2.0")
      home.release("1.10.0")
      home.release("2.0.0-rc.1")
      const head = home.git("rev-parse", "HEAD")
      const dotEnv = home.dotEnv()
      const ran = yield* runUpdate(home)
      assert.strictEqual(ran.outcome, "done", ran.told)
      assert.strictEqual(yield* home.runningVersion, "1.10.0")
      assert.include(ran.told, "1.0.0 → 1.10.0 (latest version tag)")
      assert.deepStrictEqual(home.dotEnv(), dotEnv)

      const good = home.state("last-good.json")
      assert.deepInclude(good, { ref: head, branch: "main", version: "1.0.0" })
      assert.match(String(good.envHash), /^[0-9a-f]{64}$/)
      const copy = join(home.svcHome, "updater", "snapshots", String(good.name), ".env")
      assert.deepStrictEqual(readFileSync(copy), dotEnv)
      assert.strictEqual(statSync(copy).mode & 0o777, 0o600)
      assert.deepInclude(home.state("last-run.json"), { outcome: "succeeded", from: "1.0.0", to: "1.10.0" })
      assert.isFalse(existsSync(join(home.svcHome, "updater", "update.lock")))

      const again = yield* runUpdate(home)
      assert.strictEqual(again.outcome, "upToDate")
      assert.include(again.told, "1.10.0 is installed already, and it is the latest")
    })
  )

  it.live("goes to a given version, also an older one, and back by --rollback", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      home.release("1.2.0")
      assert.strictEqual((yield* runUpdate(home, { version: "v1.2.0" })).outcome, "done")
      assert.strictEqual((yield* runUpdate(home, { version: "1.1.0" })).outcome, "done")
      assert.strictEqual(yield* home.runningVersion, "1.1.0")
      assert.strictEqual((yield* runUpdate(home, { version: "v1.1.0" })).outcome, "upToDate")
      const back = yield* runUpdate(home, { rollback: true })
      assert.strictEqual(back.outcome, "done", back.told)
      assert.strictEqual(yield* home.runningVersion, "1.2.0")
      assert.deepInclude(home.state("last-run.json"), { kind: "rollback", outcome: "succeeded" })
      assert.strictEqual((yield* runUpdate(home, { rollback: true })).outcome, "upToDate")
    })
  )

  it.live("--rollback gives the branch back that was checked out before", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      yield* runUpdate(home)
      assert.throws(() => home.git("symbolic-ref", "HEAD"))
      yield* runUpdate(home, { rollback: true })
      assert.strictEqual(home.git("symbolic-ref", "HEAD"), "refs/heads/main")
    })
  )

  it.live("says every step and changes nothing with --dry-run", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      const ran = yield* unchanged(home, runUpdate(home, { dryRun: true, yes: false }))
      for (const part of [
        "git fetch",
        "v1.1.0",
        "npm ci",
        "npm run build",
        "restart agent-console.service",
        "/health"
      ]) {
        assert.include(ran.told, part)
      }
      assert.isFalse(existsSync(join(home.svcHome, "updater")))
      assert.strictEqual(home.git("tag"), "v1.0.0")
    })
  )

  it.live("asks before it changes anything, and takes only a yes", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      assertFailed(yield* unchanged(home, runUpdate(home, { yes: false }, { answer: false })), "declined")
      assertFailed(yield* unchanged(home, runUpdate(home, { yes: false })), "preflight", "--yes")
      const ran = yield* runUpdate(home, { yes: false }, { answer: true })
      assert.strictEqual(ran.outcome, "done")
      assert.include(ran.told, "Update to 1.1.0?")
    })
  )

  it.live("leaves the service alone with --no-restart, and says so where there is none", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      home.release("1.2.0")
      const before = home.programs.restarts()
      const ran = yield* runUpdate(home, { restart: false, version: "v1.1.0" })
      assert.strictEqual(ran.outcome, "done", ran.told)
      assert.strictEqual(home.programs.restarts(), before)
      assert.strictEqual(yield* home.runningVersion, "1.0.0")
      home.programs.withoutService()
      const alone = yield* runUpdate(home)
      assert.strictEqual(alone.outcome, "done", alone.told)
      assert.include(alone.told, "No service manager runs this console")
      assert.include(readFileSync(join(home.directory, "dist/cli.js"), "utf8"), "1.2.0")
    })
  )
})

describe("an update that cannot start changes nothing", { timeout: 60_000 }, () => {
  it.live.each([
    ["no version", "one", "looks like"],
    ["an unknown version", "v9.9.9", "there is no version v9.9.9"]
  ] as const)("%s", ([, version, part]) =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      assertFailed(
        yield* unchanged(home, runUpdate(home, { version })),
        "resolution",
        part.replace("looks", "versions look")
      )
    })
  )

  it.live("no network", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.git("remote", "set-url", "origin", "http://127.0.0.1:1/owner/name.git")
      assertFailed(yield* unchanged(home, runUpdate(home)), "resolution", "check the network")
    })
  )

  it.live("changed files, named", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      writeFileSync(join(home.directory, "notes.txt"), "my own notes")
      assertFailed(yield* runUpdate(home), "preflight", "notes.txt")
      assert.strictEqual(readFileSync(join(home.directory, "notes.txt"), "utf8"), "my own notes")
    })
  )

  it.live("a version that would overwrite files of the user's, .env before all", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0", {}, { ".env": "PORT=1\n" })
      assertFailed(yield* unchanged(home, runUpdate(home)), "preflight", ".env", "overwrite")
      assert.strictEqual((yield* runUpdate(home, { rollback: true })).exit._tag, "Failure")
    })
  )

  it.live("too little room, an old npm's Node, files of another user", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      const machine = {
        freeBytes: () => Effect.succeed(5e6),
        user: process.getuid?.(),
        nodeVersion: process.versions.node
      }
      assertFailed(yield* unchanged(home, runUpdate(home, {}, { machine })), "preflight", "only 4 MB are free")
      const old = { ...machine, freeBytes: () => Effect.succeed(1e12), nodeVersion: "22.1.0" }
      assertFailed(yield* unchanged(home, runUpdate(home, {}, { machine: old })), "preflight", "this is 22.1.0")
      const other = { ...old, nodeVersion: "24.1.0", user: 54_321 }
      assertFailed(yield* unchanged(home, runUpdate(home, {}, { machine: other })), "preflight", "another user")
    })
  )

  it.live("a folder that is no checkout", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      const ran = yield* runUpdate({ ...home, directory: join(home.directory, "dist") })
      assertFailed(ran, "preflight", "not installed as a git checkout")
    })
  )

  it.live("nothing to go back to", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      assertFailed(yield* unchanged(home, runUpdate(home, { rollback: true })), "rollback", "no update was made")
    })
  )
})

describe("an update that fails goes back by itself", { timeout: 60_000 }, () => {
  it.live.each([
    ["a tag that does not build", { build: "fails" }, "build", "npm run build failed"],
    ["a build that never becomes healthy", { health: 503 }, "health", "/health answered with status 503"],
    ["a build that does not start", { starts: false }, "health", "was not healthy within"],
    ["a build that reports another version", { says: "1.0.7" }, "health", "says it is 1.0.7, not 1.1.0"]
  ] as const)("%s", ([, behaviour, step, part]) =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0", behaviour)
      const ran = yield* unchanged(home, runUpdate(home))
      assertFailed(ran, step, part)
      assert.include(ran.told, "Back on 1.0.0")
      assert.deepInclude(home.state("last-run.json"), { outcome: "rolled-back" })
    })
  )

  it.live("shows the end of what a failed build printed", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0", { build: "fails" })
      assert.include((yield* runUpdate(home)).told, "this version does not compile")
    })
  )

  it.live("a refused restart: the old console kept running, so all is well again", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      home.programs.refuseRestarts(true)
      assertFailed(yield* unchanged(home, runUpdate(home)), "restart", "did not restart", "journalctl")
    })
  )

  it.live("when even that fails it says so, and a later run goes on from there", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0", { starts: false })
      home.programs.endService()
      home.programs.refuseRestarts(true)
      const ran = yield* runUpdate(home)
      assertFailed(ran, "rollback", "going back to 1.0.0 failed", "update --rollback")
      assert.deepInclude(home.state("last-run.json"), { outcome: "rollback-failed" })
      home.programs.refuseRestarts(false)
      const back = yield* runUpdate(home, { rollback: true })
      assert.strictEqual(back.outcome, "done", back.told)
      assert.include(back.told, "could not go back")
      assert.strictEqual(yield* home.runningVersion, "1.0.0")
    })
  )
})
