import { readdirSync, readFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Result, Scope } from "effect"
import { makeUsageThread } from "../../../src/services/usage/UsageThread.ts"
import { temporaryFolder } from "../../support/fileServices.ts"
import { answerLine, lines, sessionsFolder, write } from "../../support/transcripts.ts"

it.live("somebody who leaves does not take the answers of others along", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const path = sessionsFolder(folder)
    for (let file = 0; file < 50; file += 1) {
      const answers = Array.from({ length: 200 }, (_, number) => answerLine({ id: `${file}-${number}`, input: 1 }))
      write(path, `${file}.jsonl`, lines(...answers))
    }
    const ask = yield* makeUsageThread(`${folder}/usage.db`)
    const scanning = yield* Effect.forkChild(ask("scan", [{ path, agent: "main" }]), { startImmediately: true })
    const leaving = yield* Effect.forkChild(ask("totals"), { startImmediately: true })
    const waiting = yield* Effect.forkChild(ask("totals"), { startImmediately: true })
    yield* Fiber.interrupt(leaving)
    yield* Fiber.join(scanning)
    assert.strictEqual((yield* Fiber.join(waiting)).totalInput, 10_000)
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
)

it.live("a failure is reported, and the next question begins afresh", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const ask = yield* makeUsageThread(`${folder}/usage.db`)
    assert.isFalse(yield* ask("isSettled"))
    yield* ask("settle", { nano: 0, input: 5, output: 0 }, "2026-11-20T00:00:00.000Z")
    const twice = yield* Effect.result(ask("settle", { nano: 0, input: 5, output: 0 }, "2026-11-20T00:00:00.000Z"))
    assert.isTrue(Result.isFailure(twice) && twice.failure.message.includes("the token usage's file"))
    assert.isTrue(yield* ask("isSettled"))
    assert.strictEqual((yield* ask("totals")).persistent.totalInput, 5)
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
)

it.live("requests that outlive the thread's scope fail instead of interrupting those that ask", () =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const ask = yield* Scope.provide(makeUsageThread(`${yield* temporaryFolder}/usage.db`), scope)
    const underWay = yield* Effect.forkChild(Effect.flip(ask("totals")), { startImmediately: true })
    yield* Scope.close(scope, Exit.void)
    assert.strictEqual((yield* Fiber.join(underWay))._tag, "StoreThreadError")
    assert.strictEqual((yield* Effect.flip(ask("totals")))._tag, "StoreThreadError")
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
)

it.live("a database that can't be used is set aside, and everything is counted again", () =>
  Effect.gen(function* () {
    for (const spoil of ["DROP TABLE kept_usage", "PRAGMA user_version = 0", "PRAGMA user_version = 99"]) {
      const folder = yield* temporaryFolder
      const path = sessionsFolder(folder)
      write(path, "a.jsonl", lines(answerLine({ input: 7 })))
      const file = `${folder}/usage.db`
      const counted = Effect.gen(function* () {
        const ask = yield* makeUsageThread(file)
        yield* ask("scan", [{ path, agent: "main" }])
        return (yield* ask("totals")).persistent.totalInput
      }).pipe(Effect.scoped)
      assert.strictEqual(yield* counted, 7)
      const db = new DatabaseSync(file)
      db.exec(spoil)
      db.close()
      assert.strictEqual(yield* counted, 7, spoil)
      assert.isTrue(
        readdirSync(folder).some((name) => name.startsWith("usage.db.damaged-")),
        spoil
      )
    }
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
)

const usageThreads = Effect.sync(() => readdirSync("/proc/self/task").filter((id) => nameOf(id) === "usage").length)

/** The name of a thread of this process; a thread may end between two looks. */
const nameOf = (id: string): string | undefined => {
  try {
    return readFileSync(`/proc/self/task/${id}/comm`, "utf8").trim()
  } catch {
    return undefined
  }
}

it.live("a thread nobody asks any more ends by itself, and the next question finds everything again", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const ask = yield* makeUsageThread(`${folder}/usage.db`)
    yield* ask("settle", { nano: 0, input: 7, output: 0 }, "2026-11-20T00:00:00.000Z")
    assert.strictEqual(yield* usageThreads, 1)
    yield* Effect.repeat(Effect.andThen(Effect.sleep("50 millis"), usageThreads), { until: (count) => count === 0 })
    assert.strictEqual((yield* ask("totals")).persistent.totalInput, 7)
    assert.strictEqual(yield* usageThreads, 1)
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
)
