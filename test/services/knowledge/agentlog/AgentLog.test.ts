import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, PubSub, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { MAX_LOG_ENTRIES } from "../../../../src/contract/limits.ts"
import { AgentLog } from "../../../../src/services/knowledge/agentlog/AgentLog.ts"
import { EventBus } from "../../../../src/services/platform/events/EventBus.ts"
import { Settings } from "../../../../src/services/platform/settings/Settings.ts"
import { fileServices, temporaryFolder } from "../../../support/fileServices.ts"

const withLog = <A, E>(
  body: Effect.Effect<A, E, AgentLog | EventBus | Settings | FileSystem.FileSystem | Scope.Scope>
) =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const services = Layer.mergeAll(EventBus.layer, fileServices(folder))
    return yield* body.pipe(Effect.provide(AgentLog.layer.pipe(Layer.provideMerge(services))))
  }).pipe(Effect.scoped)

describe("AgentLog", () => {
  it.effect("keeps the last 200 entries with the server's time", () =>
    withLog(
      Effect.gen(function* () {
        const log = yield* AgentLog
        assert.deepStrictEqual(yield* log.list, [])
        yield* TestClock.adjust(5000)
        assert.deepStrictEqual(yield* log.append({ message: "hello", data: { ts: 1 } }), {
          message: "hello",
          data: { ts: 1 },
          ts: 5000
        })
        yield* Effect.forEach(Array.from({ length: MAX_LOG_ENTRIES + 5 }), (_, index) =>
          log.append({ message: `${index}` })
        )
        const entries = yield* log.list
        assert.strictEqual(entries.length, MAX_LOG_ENTRIES)
        assert.strictEqual(entries.at(0)?.message, "5")
        assert.strictEqual(entries.at(-1)?.message, `${MAX_LOG_ENTRIES + 4}`)
      })
    )
  )

  it.effect("publishes a new entry", () =>
    withLog(
      Effect.gen(function* () {
        const events = yield* (yield* EventBus).subscribe
        const entry = yield* (yield* AgentLog).append({ type: "note", message: "done" })
        const { event, data } = yield* PubSub.take(events)
        assert.deepStrictEqual([event, data], ["agentlog.added", { entry }])
      })
    )
  )

  it.effect("sets a damaged file aside and begins anew", () =>
    withLog(
      Effect.gen(function* () {
        const { svcHome } = yield* Settings
        const fs = yield* FileSystem.FileSystem
        yield* fs.makeDirectory(svcHome, { recursive: true })
        yield* fs.writeFileString(`${svcHome}/agent-log.json`, '[{"ts":1},')
        const log = yield* AgentLog
        assert.deepStrictEqual(yield* log.list, [])
        yield* log.append({ type: "note" })
        const names = yield* fs.readDirectory(svcHome)
        assert.strictEqual(names.filter((name) => name.startsWith("agent-log.json.damaged-")).length, 1)
        assert.strictEqual((yield* log.list).length, 1)
      })
    )
  )

  it.effect("parallel entries are all kept", () =>
    withLog(
      Effect.gen(function* () {
        const log = yield* AgentLog
        const texts = Array.from({ length: 20 }, (_, index) => `${index}`)
        yield* Effect.forEach(texts, (message) => log.append({ message }), { concurrency: "unbounded" })
        assert.sameMembers(
          (yield* log.list).map((entry) => entry.message ?? ""),
          texts
        )
      })
    )
  )
})
