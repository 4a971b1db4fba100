import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { exitCodes } from "../../src/cli/exitCodes.ts"
import { finishUpdate, startUpdate } from "../support/update/startUpdate.ts"
import { makeUpdateHome, type UpdateHome } from "../support/update/updateHome.ts"

const isAlive = (pid: number | undefined) => pid !== undefined && existsSync(`/proc/${pid}/exe`)

const lockFile = (home: UpdateHome) => join(home.svcHome, "updater", "update.lock")

/** Starts the console anew, as its machine would, and sees that it is whole. */
const startsAs = (home: UpdateHome, version: string) =>
  Effect.gen(function* () {
    home.programs.restart()
    assert.strictEqual(yield* home.runningVersion, version)
    assert.strictEqual(yield* home.get("/health"), "{}")
    assert.strictEqual(yield* home.get("/lazy"), version)
  })

describe("an update that is killed", () => {
  it.live.each([
    ["before npm --version", "1.0.0", undefined],
    ["before git ls-remote", "1.0.0", undefined],
    ["before git fetch", "1.0.0", undefined],
    ["after git fetch", "1.0.0", undefined],
    ["before git worktree add", "1.0.0", "It hadn't changed anything"],
    ["after git worktree add", "1.0.0", "It hadn't changed anything"],
    ["before npm ci", "1.0.0", "It hadn't changed anything"],
    ["after npm ci", "1.0.0", "It hadn't changed anything"],
    ["before npm run", "1.0.0", "It hadn't changed anything"],
    ["after npm run", "1.0.0", "It hadn't changed anything"],
    ["before git checkout", "1.0.0", "Going back to 1.0.0 first"],
    ["after git checkout", "1.0.0", "Going back to 1.0.0 first"],
    ["before systemctl restart", "1.1.0", "Going back to 1.0.0 first"],
    ["after systemctl restart", "1.1.0", "Going back to 1.0.0 first"]
  ] as const)("%s leaves a console that starts (%s), and is made up for by the next one", ([place, startable, told]) =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      const dotEnv = home.dotEnv()
      home.programs.stopAt(place)
      const first = yield* startUpdate(home)
      const left = yield* home.stopped
      first.child.kill("SIGKILL")
      yield* first.ended
      assert.isTrue(existsSync(lockFile(home)))
      assert.deepStrictEqual(home.dotEnv(), dotEnv)
      home.programs.goOn(place)
      yield* startsAs(home, startable)

      const next = yield* finishUpdate(home)
      assert.strictEqual(next.code, exitCodes.ok, next.output)
      if (told !== undefined) {
        assert.match(
          next.output,
          new RegExp(`The update to 1\\.1\\.0 of \\S+ was interrupted while [a-z ]+\\. ${told}`)
        )
        assert.isFalse(isAlive(left), "what the killed update had started works on")
      }
      assert.strictEqual(yield* home.runningVersion, "1.1.0")
      assert.deepStrictEqual(home.dotEnv(), dotEnv)
      assert.isFalse(existsSync(lockFile(home)))
      assert.deepInclude(home.state("last-good.json"), { version: "1.0.0", branch: "main" })
      assert.strictEqual(home.git("worktree", "list").split("\n").length, 1)
      if (told === undefined) process.kill(left ?? 0, "SIGKILL")
    })
  )

  it.live("after the build neither installs nor builds again", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      home.programs.stopAt("before systemctl restart")
      const first = yield* startUpdate(home)
      yield* home.stopped
      first.child.kill("SIGKILL")
      yield* first.ended
      home.programs.goOn("before systemctl restart")
      home.programs.breakNpm()
      const next = yield* finishUpdate(home)
      assert.strictEqual(next.code, exitCodes.ok, next.output)
      assert.include(next.output, "1.1.0 was already installed and built")
      yield* startsAs(home, "1.1.0")
    })
  )

  it.live("can be taken back instead, also when going back is killed too", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      const head = home.git("rev-parse", "HEAD")
      for (const [place, ...flags] of [
        ["after git checkout"],
        ["before git checkout", "rollback"],
        ["after git checkout", "rollback"]
      ] as const) {
        home.programs.stopAt(place)
        const run = yield* startUpdate(home, flags)
        yield* home.stopped
        run.child.kill("SIGKILL")
        yield* run.ended
        home.programs.goOn(place)
      }
      home.programs.breakNpm()
      const back = yield* finishUpdate(home, ["rollback"])
      assert.strictEqual(back.code, exitCodes.ok, back.output)
      assert.match(
        back.output,
        /The update to 1\.1\.0 of \S+ was interrupted while putting it in place\. .*Back on 1\.0\.0\.$/ms
      )
      assert.strictEqual(home.git("rev-parse", "HEAD"), head)
      assert.strictEqual(home.git("symbolic-ref", "HEAD"), "refs/heads/main")
      yield* startsAs(home, "1.0.0")
    })
  )

  it.live.each(["before git checkout", "after git checkout", "before systemctl restart"] as const)(
    "as a rollback %s can be tried again, and updated away from",
    (place) =>
      Effect.gen(function* () {
        const home = yield* makeUpdateHome()
        home.release("1.1.0")
        assert.strictEqual((yield* finishUpdate(home)).code, exitCodes.ok)
        for (const next of ["rollback", "update"] as const) {
          home.programs.stopAt(place)
          const run = yield* startUpdate(home, ["rollback"])
          yield* home.stopped
          run.child.kill("SIGKILL")
          yield* run.ended
          home.programs.goOn(place)
          yield* startsAs(home, place === "before systemctl restart" ? "1.0.0" : "1.1.0")
          const made = next === "rollback" ? yield* finishUpdate(home, [next]) : yield* finishUpdate(home)
          assert.match(made.output, /The rollback to 1\.0\.0 of \S+ was interrupted/)
          if (next === "rollback") {
            assert.strictEqual(made.code, exitCodes.ok, made.output)
            yield* startsAs(home, "1.0.0")
            assert.strictEqual((yield* finishUpdate(home)).code, exitCodes.ok)
          }
        }
        yield* startsAs(home, "1.1.0")
      })
  )

  it.live("in the middle of a checkout by git itself, with its lock and some files left behind", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0", {}, { "manual/new.md": "new in 1.1.0" })
      home.programs.stopAt("before git checkout")
      const run = yield* startUpdate(home)
      yield* home.stopped
      run.child.kill("SIGKILL")
      yield* run.ended
      writeFileSync(join(home.directory, ".git", "index.lock"), "")
      writeFileSync(join(home.directory, "notes.txt"), "half of it")
      mkdirSync(join(home.directory, "manual"))
      writeFileSync(join(home.directory, "manual", "new.md"), "new in 1")
      home.programs.goOn("before git checkout")
      const next = yield* finishUpdate(home)
      assert.strictEqual(next.code, exitCodes.ok, next.output)
      yield* startsAs(home, "1.1.0")
      assert.strictEqual(home.git("status", "--porcelain"), "")
    })
  )

  it.live("in the middle of laying out a version, with git's own lock on it left behind", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      home.programs.stopAt("after git worktree add")
      const run = yield* startUpdate(home)
      yield* home.stopped
      run.child.kill("SIGKILL")
      yield* run.ended
      home.programs.goOn("after git worktree add")
      writeFileSync(join(home.directory, ".git", "worktrees", "next", "locked"), "initializing")
      rmSync(join(home.directory, ".update", "next", ".git"))
      const next = yield* finishUpdate(home)
      assert.strictEqual(next.code, exitCodes.ok, next.output)
      yield* startsAs(home, "1.1.0")
    })
  )
})

describe("an update that is interrupted", () => {
  it.live.each([
    ["SIGINT", exitCodes.interrupted],
    ["SIGHUP", exitCodes.hangup],
    ["SIGTERM", exitCodes.terminated]
  ] as const)("by %s goes back first, and only then ends and gives the lock back", ([signal, code]) =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      const dotEnv = home.dotEnv()
      home.programs.stopAt("after git checkout")
      const run = yield* startUpdate(home)
      const left = yield* home.stopped
      home.programs.goOn("after git checkout")
      run.child.kill(signal)
      const ended = yield* run.ended
      assert.strictEqual(ended.code, code, ended.output)
      assert.include(ended.output, "Going back to 1.0.0 because it was interrupted")
      assert.include(ended.output, "Back on 1.0.0, as before")
      assert.isFalse(isAlive(left))
      assert.strictEqual(yield* home.runningVersion, "1.0.0")
      assert.deepStrictEqual(home.dotEnv(), dotEnv)
      assert.strictEqual(home.git("symbolic-ref", "HEAD"), "refs/heads/main")
      assert.isFalse(existsSync(lockFile(home)))
      assert.deepInclude(home.state("last-run.json"), { outcome: "rolled-back" })
    })
  )

  it.live("while packages are installed has nothing to go back from", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      home.programs.stopAt("before npm ci")
      const run = yield* startUpdate(home)
      const left = yield* home.stopped
      run.child.kill("SIGINT")
      const ended = yield* run.ended
      assert.strictEqual(ended.code, exitCodes.interrupted, ended.output)
      assert.include(ended.output, "1.0.0 wasn't touched")
      assert.isFalse(isAlive(left))
      assert.deepInclude(home.state("last-run.json"), { outcome: "failed", message: "it was interrupted" })
    })
  )

  it.live("by a second Ctrl-C ends at once, and the next one knows", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      home.programs.stopAt("after git checkout")
      const run = yield* startUpdate(home)
      yield* home.stopped
      home.programs.goOn("after git checkout")
      home.programs.stopAt("before git checkout")
      run.child.kill("SIGINT")
      // Going back, it waits for a program that never ends.
      yield* home.stopped
      // Signals that come close together are one keystroke: pressed again and again, one of them is a second one.
      const ended = yield* Effect.raceFirst(
        run.ended,
        Effect.forever(
          Effect.andThen(
            Effect.sync(() => run.child.kill("SIGINT")),
            Effect.sleep("50 millis")
          )
        )
      )
      assert.strictEqual(ended.code, exitCodes.interrupted)
      home.programs.goOn("before git checkout")
      const next = yield* finishUpdate(home)
      assert.strictEqual(next.code, exitCodes.ok, next.output)
      yield* startsAs(home, "1.1.0")
    })
  )
})

describe("the lock", () => {
  it.live("keeps a second update out while the first one runs", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      home.programs.stopAt("before npm ci")
      const first = yield* startUpdate(home)
      yield* home.stopped
      const second = yield* finishUpdate(home)
      assert.strictEqual(second.code, exitCodes.updateLock)
      assert.match(second.output, /another update is running \(process \d+\)/)
      assert.isTrue(existsSync(lockFile(home)))
      first.child.kill("SIGKILL")
      yield* first.ended
    })
  )

  it.live("of a dead process, of one whose id another has by now, and a damaged one are taken over", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      mkdirSync(join(home.svcHome, "updater"))
      for (const holder of [
        '{"pid":4194303,"mark":"x","since":1}',
        `{"pid":${process.pid},"mark":"x","since":1}`,
        "{"
      ]) {
        writeFileSync(lockFile(home), holder)
        const ended = yield* finishUpdate(home)
        assert.strictEqual(ended.code, exitCodes.upToDate, ended.output)
      }
    })
  )

  it.live("that is stale goes to exactly one of many who find it", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      mkdirSync(join(home.svcHome, "updater"))
      writeFileSync(lockFile(home), '{"pid":4194303,"mark":"x","since":1}')
      home.programs.stopAt("before git fetch")
      const all = yield* Effect.forEach([1, 2, 3, 4, 5], () => startUpdate(home))
      yield* home.stopped
      const holder: { readonly pid: number } = JSON.parse(readFileSync(lockFile(home), "utf8"))
      const others = all.filter(({ child }) => child.pid !== holder.pid)
      assert.strictEqual(others.length, 4)
      for (const { ended } of others) assert.strictEqual((yield* ended).code, exitCodes.updateLock)
    })
  )
})
