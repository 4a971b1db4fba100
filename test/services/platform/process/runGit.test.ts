import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { runGit } from "../../../../src/services/platform/process/runGit.ts"
import { temporaryFolder } from "../../../support/fileServices.ts"

/** A folder with a program called `git`, first in the search path while the scope lasts. */
const pretendGit = Effect.fnUntraced(function* (script: string) {
  const folder = yield* temporaryFolder
  const path = process.env.PATH
  writeFileSync(join(folder, "git"), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, "git"), 0o755)
  process.env.PATH = `${folder}:${path}`
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      process.env.PATH = path
    })
  )
  return folder
})

const isRunning = (pid: number): boolean => existsSync(`/proc/${pid}`)
const nextTurn = Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))
const until = (condition: () => boolean): Effect.Effect<void> =>
  Effect.gen(function* () {
    while (!condition()) yield* nextTurn
  })

describe("runGit", () => {
  it.effect("stops a git that does not answer within five seconds", () =>
    Effect.gen(function* () {
      const folder = yield* pretendGit('echo $$ > "$PWD/pid.new"; mv "$PWD/pid.new" "$PWD/pid"; exec sleep 1000')
      const running = yield* Effect.forkChild(
        Effect.flip(runGit({ directory: folder, args: ["status"], ceilings: [] }))
      )
      yield* until(() => existsSync(join(folder, "pid")))
      const pid = Number(readFileSync(join(folder, "pid"), "utf8"))
      yield* TestClock.adjust("5 seconds")
      const failure = yield* Fiber.join(running)
      assert.strictEqual(failure.message, "git didn't answer within 5 seconds")
      yield* until(() => !isRunning(pid))
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.effect("says so when there is no git, and when it fails", () =>
    Effect.gen(function* () {
      const folder = yield* pretendGit("echo oh; exit 128")
      const run = { directory: folder, args: ["status"], ceilings: [] }
      assert.deepStrictEqual(yield* runGit(run), { text: "oh\n", isOk: false })
      rmSync(join(folder, "git"))
      process.env.PATH = folder
      const failure = yield* Effect.flip(runGit(run))
      assert.strictEqual(failure.message, "couldn't run git: check that it's installed")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.effect("hands over arguments as they are, and none of the console's own git variables", () =>
    Effect.gen(function* () {
      const folder = yield* pretendGit('printf "%s|" "$GIT_DIR" "$GIT_TERMINAL_PROMPT" "$@"')
      process.env.GIT_DIR = "/elsewhere"
      yield* Effect.addFinalizer(() => Effect.sync(() => delete process.env.GIT_DIR))
      const { text } = yield* runGit({ directory: folder, args: ["$(touch x)", "a b"], ceilings: [] })
      assert.isTrue(text.startsWith("|0|--no-pager|"))
      assert.isTrue(text.endsWith("|$(touch x)|a b|"))
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.effect("takes cut output for a failure, also when git says that it succeeded", () =>
    Effect.gen(function* () {
      const folder = yield* pretendGit("head -c 1048577 /dev/zero | tr '\\0' x; exit 0")
      const run = { directory: folder, args: ["config"], ceilings: [] }
      const failure = yield* Effect.flip(runGit(run))
      assert.strictEqual(failure.message, "git printed more than the console reads")
      const isEnough = (text: string) => text.startsWith("x")
      assert.isTrue((yield* runGit({ ...run, isEnough })).isOk)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.effect("starts git with a list of variables, and nothing else of the console's", () =>
    Effect.gen(function* () {
      const folder = yield* pretendGit("exec env")
      process.env.BOARD_URL = "postgres://secret"
      process.env.GIT_SSH_COMMAND = "/trap"
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          delete process.env.BOARD_URL
          delete process.env.GIT_SSH_COMMAND
        })
      )
      const run = { directory: folder, args: [], ceilings: ["/a", "/b"], variables: { GIT_DIR: "/own" } }
      const { text } = yield* runGit({ ...run, settings: "none" })
      // The shell adds some of its own.
      const names = text.split("\n").flatMap((line) => (line === "" ? [] : [line.slice(0, line.indexOf("="))]))
      assert.sameMembers(
        names.filter((name) => !["PWD", "OLDPWD", "SHLVL", "_"].includes(name)),
        [
          "GIT_ALLOW_PROTOCOL",
          "GIT_ATTR_NOSYSTEM",
          "GIT_CEILING_DIRECTORIES",
          "GIT_CONFIG_GLOBAL",
          "GIT_CONFIG_NOSYSTEM",
          "GIT_DIR",
          "GIT_NO_LAZY_FETCH",
          "GIT_OPTIONAL_LOCKS",
          "GIT_TERMINAL_PROMPT",
          "LC_ALL",
          "PATH"
        ]
      )
      assert.include(text, "GIT_CEILING_DIRECTORIES=/a:/b\n")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.effect.skipIf(process.platform !== "linux")("gives git no more than 64 MB of memory (needs Linux)", () =>
    Effect.gen(function* () {
      const folder = yield* pretendGit("ulimit -d; ulimit -v; ulimit -c")
      const { text } = yield* runGit({ directory: folder, args: [], ceilings: [] })
      const limits = text.trim().split("\n").map(Number)
      assert.strictEqual(limits.length, 3)
      assert.isAtMost(limits[0] ?? Number.NaN, 64 * 1024)
      assert.isAtMost(limits[1] ?? Number.NaN, 512 * 1024)
      assert.strictEqual(limits[2], 0)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.effect("takes a git that was killed for one that failed", () =>
    Effect.gen(function* () {
      const folder = yield* pretendGit("kill -9 $$")
      assert.deepStrictEqual(yield* runGit({ directory: folder, args: [], ceilings: [] }), { text: "", isOk: false })
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
