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
})
