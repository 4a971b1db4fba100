import { closeSync, openSync, readFileSync, statSync, writeSync } from "node:fs"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { shortenLog } from "../../../../src/services/platform/process/ownLog.ts"
import { temporaryDirectory } from "../../../support/runConsole.ts"

const LIMIT = 10 * 1024 * 1024

/** A log that is open as launchd opens it. */
const openLog = (file: string) =>
  Effect.acquireRelease(
    Effect.sync(() => openSync(file, "a", 0o600)),
    (descriptor) => Effect.sync(() => closeSync(descriptor))
  )

describe("the log that launchd writes", () => {
  it.live("is put aside once it's too long, and goes on in the same file", () =>
    Effect.gen(function* () {
      const file = join(yield* temporaryDirectory, "console.log")
      const descriptor = yield* openLog(file)
      const old = `${"x".repeat(LIMIT - 1)}\n`
      writeSync(descriptor, old)
      yield* shortenLog(file, descriptor)
      assert.strictEqual(statSync(file).size, LIMIT, "as long as it may be")
      writeSync(descriptor, "one\n")
      yield* shortenLog(file, descriptor)
      writeSync(descriptor, "two\n")
      assert.strictEqual(readFileSync(file, "utf8"), "two\n")
      assert.isTrue(readFileSync(`${file}.1`, "utf8") === `${old}one\n`, "nothing of it is lost")
      assert.strictEqual(statSync(`${file}.1`).mode & 0o777, 0o600)
    }).pipe(Effect.provide(NodeServices.layer), Effect.scoped)
  )

  it.live("is left alone where the console writes elsewhere, or there is none", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryDirectory
      const [file, other] = [join(folder, "console.log"), join(folder, "other.log")]
      const elsewhere = yield* openLog(other)
      yield* shortenLog(file, elsewhere)
      writeSync(yield* openLog(file), "x".repeat(LIMIT + 1))
      yield* shortenLog(file, elsewhere)
      assert.strictEqual(statSync(file).size, LIMIT + 1)
    }).pipe(Effect.provide(NodeServices.layer), Effect.scoped)
  )
})
