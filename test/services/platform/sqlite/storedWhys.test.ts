import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { failure } from "../../../../src/contract/failures.ts"
import { SqliteMemory } from "../../../../src/layers/Sqlite.ts"
import { Sqlite } from "../../../../src/services/platform/sqlite/Sqlite.ts"
import { storeWhy, whyOf } from "../../../../src/services/platform/sqlite/storedWhys.ts"

describe("the code of a stored sentence", () => {
  it.effect("is found by the sentence, and there's none for one of an earlier version", () =>
    Effect.gen(function* () {
      const sqlite = yield* Sqlite
      const kept = failure("PUSH_REJECTED", { service: "PUSH_SERVICE", status: 400 })
      yield* sqlite.transaction((db) =>
        Result.succeed([kept, kept, { message: "Odd." }].map((one) => storeWhy(db, one)))
      )
      const found = yield* sqlite.read((db) => [kept.message, "Odd.", "Old.", undefined].map((text) => whyOf(db, text)))
      assert.deepStrictEqual<ReadonlyArray<object>>(found, [{ why: kept.why }, {}, {}, {}])
    }).pipe(Effect.provide(SqliteMemory))
  )
})
