import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import type { TaskStatus } from "../../../../src/contract/schema/task.ts"
import { onEveryStore } from "../onEveryStore.ts"

/** More than are counted from either end of a column before the whole of it is. */
const CARDS = 700

onEveryStore("places in a long column", ({ makeBoardWorld }) => {
  it.effect("are right at its start, in its middle and at its end, also after cards came, moved and went", () =>
    Effect.gen(function* () {
      const { board } = yield* makeBoardWorld()
      const ids: Array<string> = []
      for (let number = 0; number < CARDS; number += 1) {
        const made = yield* board.create({ title: `Card ${number}`, status: "todo" })
        assert.strictEqual(made.columnOrder, number)
        ids.push(made.id)
      }
      const placeOf = (id: string) => Effect.map(board.get(id), ({ columnOrder }) => columnOrder)
      const total = (...statuses: ReadonlyArray<TaskStatus>) =>
        Effect.map(board.list({ statuses, priorities: [], limit: 1, offset: 0 }), (page) => page.total)

      const moved = ids.splice(300, 1)[0] ?? ""
      yield* board.reorder(moved, { version: 1, targetStatus: "done", targetIndex: 0 })
      const gone = ids.splice(10, 1)[0] ?? ""
      yield* board.remove(gone)
      const first = ids.pop() ?? ""
      yield* board.reorder(first, { version: 1, targetStatus: "todo", targetIndex: 0 })
      ids.unshift(first)

      for (const index of [0, 1, 255, 256, 257, 350, 441, 442, 443, 444, ids.length - 1]) {
        assert.strictEqual(yield* placeOf(ids[index] ?? ""), index)
      }
      assert.strictEqual(yield* placeOf(moved), 0)
      assert.strictEqual(yield* total("todo"), CARDS - 2)
      assert.strictEqual(yield* total("done"), 1)
      assert.strictEqual(yield* total("todo", "done"), CARDS - 1)
      assert.strictEqual(yield* total(), CARDS - 1)
      assert.strictEqual(yield* total("review"), 0)
    })
  )
})
