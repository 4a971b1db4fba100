import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { MAX_ATTEMPTS } from "../../../../src/contract/schema/attempt.ts"
import { insertAttempt } from "../../../../src/services/board/store/attemptStore.ts"
import { findTask } from "../../../../src/services/board/store/taskStore.ts"
import { onEveryStore } from "../onEveryStore.ts"

onEveryStore("the attempts at a task", ({ makeBoardWorld }) => {
  it.effect("stay with their results once the task leaves them behind, and not before", () =>
    Effect.gen(function* () {
      const { board, gateway, runs, settle, until } = yield* makeBoardWorld()
      const { id } = yield* board.create({ title: "T" })
      const attempts = Effect.map(board.attempts(id), (all) => all.map(({ result, run }) => [run.status, result]))
      yield* runs.execute(id, {})
      yield* settle
      yield* gateway.finish("First.")
      yield* until(id, ({ status }) => status === "review")
      assert.deepStrictEqual(yield* attempts, [], "the card still has it")
      const sentBack = yield* board.reject(id, { note: "Again" })
      assert.doesNotHaveAnyKeys(sentBack, ["run", "result"])
      assert.deepStrictEqual(yield* attempts, [["done", "First."]])
      yield* runs.execute(id, {})
      yield* settle
      yield* board.abort(id, {})
      assert.lengthOf(yield* attempts, 1, "the stopped one is still the card's own")
      yield* runs.execute(id, {})
      yield* settle
      assert.deepStrictEqual(yield* attempts, [
        ["done", "First."],
        ["aborted", undefined]
      ])
      yield* board.remove(id)
      const gone = yield* Effect.flip(board.attempts(id))
      assert.strictEqual(gone._tag, "TaskNotFound")
    })
  )

  it.effect("are so many, the oldest gone first", () =>
    Effect.gen(function* () {
      const { board, store } = yield* makeBoardWorld()
      const { id } = yield* board.create({ title: "T" })
      for (let number = 0; number < MAX_ATTEMPTS + 2; number++)
        yield* store.mutate((db) =>
          Effect.gen(function* () {
            const { seq } = (yield* findTask(db, id)) ?? { seq: 0 }
            yield* insertAttempt(db, seq, { run: { sessionKey: `s${number}`, startedAt: number, status: "done" } })
            return { value: undefined, changes: [], runs: [] }
          })
        )
      const kept = yield* board.attempts(id)
      assert.lengthOf(kept, MAX_ATTEMPTS)
      assert.strictEqual(kept[0]?.run.sessionKey, "s2")
    })
  )
})
