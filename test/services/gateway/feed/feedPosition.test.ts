import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { SqliteMemory } from "../../../../src/layers/Sqlite.ts"
import { makeFeedPosition } from "../../../../src/services/gateway/feed/feedPosition.ts"
import { Sqlite } from "../../../../src/services/platform/sqlite/Sqlite.ts"

it.effect("reading begins at the first start by the gateway's clock, however long ago its list was read", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(10_000)
    const position = yield* makeFeedPosition(yield* Sqlite, "primary")
    yield* TestClock.adjust("1 minute")
    const marks = yield* position.begin({ ts: 5_200, readAt: 10_200 })
    assert.deepStrictEqual(marks, { since: 5_000, sessions: 5_000, crons: 5_000 })
    assert.strictEqual(yield* position.begin({ ts: 9_000, readAt: 70_000 }), marks)
  }).pipe(Effect.provide(SqliteMemory))
)
