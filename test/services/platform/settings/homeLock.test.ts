import { existsSync, readFileSync, statSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { holdHome, homeHolder } from "../../../../src/services/platform/settings/consoleHome.ts"
import { temporaryDirectory } from "../../../support/runConsole.ts"

it.effect("a folder is held until the scope closes, and says by whom", () =>
  Effect.gen(function* () {
    const home = yield* temporaryDirectory
    assert.isUndefined(yield* homeHolder(home))
    yield* Effect.scoped(
      Effect.gen(function* () {
        yield* holdHome(home, "/nowhere")
        assert.strictEqual(yield* homeHolder(home), `another console (process ${process.pid})`)
        // Asking doesn't give the lock away.
        assert.strictEqual(yield* homeHolder(home), `another console (process ${process.pid})`)
        assert.strictEqual(
          readFileSync(join(home, "console.lock.json"), "utf8"),
          `${JSON.stringify({ pid: process.pid, host: hostname() })}\n`
        )
        assert.strictEqual(statSync(join(home, "console.lock")).mode & 0o777, 0o600)
      })
    )
    assert.isUndefined(yield* homeHolder(home))
    assert.isFalse(existsSync(join(home, "console.lock.json")))
  }).pipe(Effect.provide(NodeServices.layer))
)

it.effect("a second one waits for the first to close, and refuses when it doesn't", () =>
  Effect.gen(function* () {
    const home = yield* temporaryDirectory
    const refusal = yield* Effect.scoped(
      Effect.gen(function* () {
        yield* holdHome(home, "/nowhere")
        const second = yield* Effect.forkChild(Effect.flip(Effect.scoped(holdHome(home, "/nowhere"))), {
          startImmediately: true
        })
        yield* TestClock.adjust("3 seconds")
        return yield* Fiber.join(second)
      })
    )
    assert.match(refusal.message, /^another console \(process \d+\) is running with the folder \//)
    yield* holdHome(home, "/nowhere")
  }).pipe(Effect.provide(NodeServices.layer))
)
