import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { exitCodes } from "../../src/cli/exitCodes.ts"
import { makeUpdateHome, type UpdateHome } from "../support/update/updateHome.ts"

const MAIN = fileURLToPath(new URL("../support/update/updateProcess.ts", import.meta.url))
const DEFINES = new URL("../support/sourceDefines.mjs", import.meta.url).href

/** `agent-console update` on the small service, as a process. */
const startUpdate = (home: UpdateHome, ...flags: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn(process.execPath, ["--import", DEFINES, MAIN, home.directory, ...flags], {
        cwd: home.home,
        env: {
          PATH: home.programs.path,
          HOME: home.home,
          NODE_COMPILE_CACHE: join(tmpdir(), "agent-console-test-compile-cache")
        },
        stdio: ["ignore", "pipe", "pipe"]
      })
      let output = ""
      for (const stream of [child.stdout, child.stderr]) {
        stream.on("data", (chunk: Buffer) => {
          output += chunk
        })
      }
      const ended = new Promise<{ readonly code: number | null; readonly output: string }>((resolve) =>
        child.on("close", (code) => resolve({ code, output }))
      )
      return { child, ended: Effect.promise(() => ended), output: () => output }
    }),
    ({ child, ended }) => {
      child.kill("SIGKILL")
      return ended
    }
  )

const finish = (home: UpdateHome, ...flags: ReadonlyArray<string>) =>
  Effect.scoped(Effect.flatMap(startUpdate(home, ...flags), ({ ended }) => ended))

/** Waits until a program came to the place where it stops; answers its id. */
const stopped = (home: UpdateHome) =>
  Effect.repeat(Effect.sync(home.programs.stopped), {
    schedule: Schedule.spaced("20 millis"),
    until: (pid) => pid !== undefined
  })

const isAlive = (pid: number | undefined) => pid !== undefined && existsSync(`/proc/${pid}/exe`)

const lockFile = (home: UpdateHome) => join(home.svcHome, "updater", "update.lock")

describe("an update that is killed", { timeout: 60_000 }, () => {
  it.live.each([
    ["before npm --version", false],
    ["before git ls-remote", false],
    ["before git fetch", false],
    ["after git fetch", false],
    ["before git checkout", true],
    ["after git checkout", true],
    ["before npm ci", true],
    ["after npm ci", true],
    ["before npm run", true],
    ["after npm run", true],
    ["before systemctl restart", true],
    ["after systemctl restart", true]
  ] as const)("%s is made up for by the next one", ([place, hasChanged]) =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      const dotEnv = home.dotEnv()
      home.programs.stopAt(place)
      const first = yield* startUpdate(home)
      const left = yield* stopped(home)
      first.child.kill("SIGKILL")
      yield* first.ended
      assert.isTrue(existsSync(lockFile(home)))
      assert.deepStrictEqual(home.dotEnv(), dotEnv)
      home.programs.goOn(place)

      const next = yield* finish(home)
      assert.strictEqual(next.code, exitCodes.ok, next.output)
      if (hasChanged) {
        assert.match(next.output, /The update to 1\.1\.0 of \S+ was cut off while [a-z ]+\. Going on/)
        assert.isFalse(isAlive(left), "what the killed update had started works on")
      }
      assert.strictEqual(yield* home.runningVersion, "1.1.0")
      assert.deepStrictEqual(home.dotEnv(), dotEnv)
      assert.isFalse(existsSync(lockFile(home)))
      assert.deepInclude(home.state("last-good.json"), { version: "1.0.0", branch: "main" })
      if (!hasChanged) process.kill(left ?? 0, "SIGKILL")
    })
  )

  it.live("can be taken back instead, also when going back is killed too", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      const head = home.git("rev-parse", "HEAD")
      for (const [place, ...flags] of [["after git checkout"], ["before npm run", "rollback"]] as const) {
        home.programs.stopAt(place)
        const run = yield* startUpdate(home, ...flags)
        yield* stopped(home)
        run.child.kill("SIGKILL")
        yield* run.ended
        home.programs.goOn(place)
      }
      const back = yield* finish(home, "rollback")
      assert.strictEqual(back.code, exitCodes.ok, back.output)
      assert.match(back.output, /The rollback to 1\.0\.0 of \S+ was cut off/)
      assert.strictEqual(home.git("rev-parse", "HEAD"), head)
      assert.strictEqual(yield* home.runningVersion, "1.0.0")
    })
  )

  it.live("in the middle of a checkout by git itself, with its lock left behind", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      home.programs.stopAt("before git checkout")
      const run = yield* startUpdate(home)
      yield* stopped(home)
      run.child.kill("SIGKILL")
      yield* run.ended
      writeFileSync(join(home.directory, ".git", "index.lock"), "")
      writeFileSync(join(home.directory, "notes.txt"), "half of it")
      home.programs.goOn("before git checkout")
      const next = yield* finish(home)
      assert.strictEqual(next.code, exitCodes.ok, next.output)
      assert.strictEqual(yield* home.runningVersion, "1.1.0")
    })
  )
})

describe("an update that is interrupted", { timeout: 60_000 }, () => {
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
      const left = yield* stopped(home)
      home.programs.goOn("after git checkout")
      run.child.kill(signal)
      const ended = yield* run.ended
      assert.strictEqual(ended.code, code, ended.output)
      assert.include(ended.output, "Going back to 1.0.0, because it was interrupted")
      assert.include(ended.output, "Back on 1.0.0")
      assert.isFalse(isAlive(left))
      assert.strictEqual(yield* home.runningVersion, "1.0.0")
      assert.deepStrictEqual(home.dotEnv(), dotEnv)
      assert.strictEqual(home.git("symbolic-ref", "HEAD"), "refs/heads/main")
      assert.isFalse(existsSync(lockFile(home)))
      assert.deepInclude(home.state("last-run.json"), { outcome: "rolled-back" })
    })
  )

  it.live("by a second Ctrl-C ends at once, and the next one knows", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      home.programs.stopAt("after git checkout")
      const run = yield* startUpdate(home)
      yield* stopped(home)
      home.programs.goOn("after git checkout")
      home.programs.stopAt("before npm ci")
      run.child.kill("SIGINT")
      yield* stopped(home)
      // Two signals within 400 ms are one keystroke that came twice.
      yield* Effect.sleep("500 millis")
      run.child.kill("SIGINT")
      assert.strictEqual((yield* run.ended).code, exitCodes.interrupted)
      home.programs.goOn("before npm ci")
      const next = yield* finish(home)
      assert.strictEqual(next.code, exitCodes.ok, next.output)
      assert.strictEqual(yield* home.runningVersion, "1.1.0")
    })
  )
})

describe("the lock", { timeout: 60_000 }, () => {
  it.live("keeps a second update out while the first one runs", () =>
    Effect.gen(function* () {
      const home = yield* makeUpdateHome()
      home.release("1.1.0")
      home.programs.stopAt("before npm ci")
      const first = yield* startUpdate(home)
      yield* stopped(home)
      const second = yield* finish(home)
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
        const ended = yield* finish(home)
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
      yield* stopped(home)
      const holder: { readonly pid: number } = JSON.parse(readFileSync(lockFile(home), "utf8"))
      const others = all.filter(({ child }) => child.pid !== holder.pid)
      assert.strictEqual(others.length, 4)
      for (const { ended } of others) assert.strictEqual((yield* ended).code, exitCodes.updateLock)
    })
  )
})
