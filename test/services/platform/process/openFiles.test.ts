import { assert, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import { watchOpenFiles } from "../../../../src/services/platform/process/openFiles.ts"

it.effect("the limit on open files is one line in the log, and its end another", () => {
  const said: Array<string> = []
  const logged = Logger.layer([Logger.make(({ message }) => void said.push(String(message)))])
  return Effect.gen(function* () {
    let isFull = false
    yield* watchOpenFiles(Effect.sync(() => isFull))
    const pass = TestClock.adjust("20 seconds")
    yield* pass
    assert.deepStrictEqual(said, [])
    isFull = true
    yield* pass
    assert.strictEqual(said.length, 1)
    assert.include(said[0] ?? "", "LimitNOFILE")
    isFull = false
    yield* pass
    assert.deepStrictEqual(said.slice(1), ["Files and connections can be opened again"])
  }).pipe(Effect.scoped, Effect.provide(logged))
})
