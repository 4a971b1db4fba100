import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Ref } from "effect"
import { Commands } from "../../../../src/services/machine/update/Commands.ts"
import { UpdateLog } from "../../../../src/services/machine/update/UpdateJournal.ts"
import { UpdateTarget } from "../../../../src/services/machine/update/UpdateTarget.ts"

/** A log in a folder of its own, and what programs print into it. */
const makeLog = (svcHome: string) =>
  Effect.gen(function* () {
    const listener = yield* Ref.make((_text: string): Effect.Effect<void> => Effect.void)
    const log = yield* UpdateLog.pipe(
      Effect.provide(
        UpdateLog.layer.pipe(
          Layer.provide(Layer.mock(Commands, { onOutput: (next) => Ref.set(listener, next) })),
          Layer.provide(
            Layer.succeed(UpdateTarget, {
              directory: "/",
              svcHome,
              address: "",
              path: undefined,
              releasesUrl: undefined,
              allowedSigners: undefined
            })
          ),
          Layer.provide(NodeServices.layer)
        )
      )
    )
    return { log, print: (text: string) => Effect.flatMap(Ref.get(listener), (hear) => hear(text)) }
  })

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "agent-console-log-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

describe("the log of updates", () => {
  it.effect("has what the programs of a run print, for nobody else to read, and keeps that of the run before", () =>
    Effect.gen(function* () {
      const svcHome = yield* temporary
      const { log, print } = yield* makeLog(svcHome)
      const file = join(svcHome, "updater", "update.log")
      yield* log.begin
      yield* print("one\n")
      yield* log.begin
      yield* print("two\n")
      assert.match(readFileSync(file, "utf8"), /^1970-01-01T00:00:00\.000Z\ntwo\n$/)
      assert.match(readFileSync(`${file}.1`, "utf8"), /\none\n$/)
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
    })
  )

  it.effect("has no passwords of addresses in it", () =>
    Effect.gen(function* () {
      const svcHome = yield* temporary
      const { log, print } = yield* makeLog(svcHome)
      yield* log.begin
      yield* print("https://me:secret@example.invalid/console.git\n")
      assert.include(
        readFileSync(join(svcHome, "updater", "update.log"), "utf8"),
        "https://example.invalid/console.git"
      )
    })
  )

  it.effect("stops before it fills the disk", () =>
    Effect.gen(function* () {
      const svcHome = yield* temporary
      const { log, print } = yield* makeLog(svcHome)
      yield* log.begin
      yield* Effect.repeat(print("x".repeat(1024 * 1024)), { times: 20 })
      assert.isBelow(statSync(join(svcHome, "updater", "update.log")).size, 10 * 1024 * 1024)
    })
  )

  it.effect("is named as people find it, not by its whole path", () =>
    Effect.gen(function* () {
      const inHome = yield* makeLog(join(homedir(), ".agent-console"))
      assert.strictEqual(inHome.log.name, "~/.agent-console/updater/update.log")
      const elsewhere = yield* makeLog("/var/lib/agent-console")
      assert.strictEqual(elsewhere.log.name, "update.log in the console's updater folder")
    })
  )
})
