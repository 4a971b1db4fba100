import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { assertFailed, unchanged } from "../../../support/update/ranUpdate.ts"
import { runUpdate } from "../../../support/update/runUpdate.ts"
import { makeUpdateHome } from "../../../support/update/updateHome.ts"

describe("an update", () => {
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
      assert.include(again.told, "1.10.0 is already installed and is the latest")
    })
  )

  it.live("installs what the scripts of packages bring, whatever npm is set to", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      const ran = yield* runUpdate(home)
      assert.strictEqual(ran.outcome, "done", ran.told)
      assert.include(readFileSync(join(home.directory, "node_modules", "installed"), "utf8"), "--ignore-scripts=false")
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
        "swap node_modules and dist by renaming",
        "restart agent-console.service",
        "/health"
      ]) {
        assert.include(ran.told, part)
      }
      assert.isFalse(existsSync(join(home.svcHome, "updater")))
      assert.isFalse(existsSync(join(home.directory, ".update")))
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
      assert.include(alone.told, "This console doesn't run as a service")
      assert.include(readFileSync(join(home.directory, "dist/cli.js"), "utf8"), "1.2.0")
    })
  )
})

describe("an update that cannot start changes nothing", () => {
  it.live.each([
    ["no version", "one", "one isn't a version: use the form v1.2.3"],
    ["an unknown version", "v9.9.9", "the git remote has no version v9.9.9"]
  ] as const)("%s", ([, version, part]) =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      assertFailed(yield* unchanged(home, runUpdate(home, { version })), "resolution", part)
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
      assertFailed(yield* unchanged(home, runUpdate(home, {}, { machine })), "preflight", "only 4 MB free")
      const old = { ...machine, freeBytes: () => Effect.succeed(1e12), nodeVersion: "22.1.0" }
      assertFailed(yield* unchanged(home, runUpdate(home, {}, { machine: old })), "preflight", "this is 22.1.0")
      const other = { ...old, nodeVersion: "24.1.0", user: 54_321 }
      assertFailed(yield* unchanged(home, runUpdate(home, {}, { machine: other })), "preflight", "another user")
    })
  )

  it.live("packages that lie elsewhere, where they cannot be swap node_modules and dist by renaming", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      mkdirSync(join(home.home, "elsewhere"))
      symlinkSync(join(home.home, "elsewhere"), join(home.directory, "node_modules"))
      assertFailed(yield* runUpdate(home), "preflight", "node_modules is a symbolic link")
      assert.strictEqual(yield* home.runningVersion, "1.0.0")
    })
  )

  it.live("a folder that is no checkout", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      const ran = yield* runUpdate({ ...home, directory: join(home.directory, "dist") })
      assertFailed(ran, "preflight", "isn't running from a git checkout")
    })
  )

  it.live("nothing to go back to", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      assertFailed(yield* unchanged(home, runUpdate(home, { rollback: true })), "rollback", "hasn't been updated yet")
    })
  )
})

describe("while an update runs", () => {
  it.live("and after it, a console that is not restarted goes on loading its own parts", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      home.release("1.2.0")
      const build = (version: string) => join(home.directory, "dist", "chunks", `lazy-${version}.mjs`)
      yield* runUpdate(home, { version: "1.1.0", restart: false })
      assert.strictEqual(yield* home.get("/lazy"), "1.0.0")
      assert.isTrue(existsSync(build("1.1.0")))
      // Two versions further nobody runs it any more.
      yield* runUpdate(home, { restart: false })
      assert.deepStrictEqual([existsSync(build("1.0.0")), existsSync(build("1.1.0"))], [false, true])
      yield* runUpdate(home, { rollback: true })
      assert.strictEqual(yield* home.get("/lazy"), "1.1.0")
    })
  )

  it.live("what people have in the checkout stays: files of their own, links, and empty folders", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      const own = join(home.directory, "certs")
      mkdirSync(own)
      writeFileSync(join(own, "key.pem"), "key")
      symlinkSync("certs/key.pem", join(home.directory, "link"))
      mkdirSync(join(home.directory, "empty"))
      yield* runUpdate(home)
      yield* runUpdate(home, { rollback: true })
      assert.strictEqual(readFileSync(join(home.directory, "link"), "utf8"), "key")
      assert.isTrue(existsSync(join(home.directory, "empty")))
    })
  )
})
