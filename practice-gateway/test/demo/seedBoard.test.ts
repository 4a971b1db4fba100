import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Board } from "../../../src/services/board/Board.ts"
import { boardInMemory } from "../../../test/support/boardStores.ts"
import { seedBoard } from "../../src/demo/seedBoard.ts"

const everything = { statuses: [], priorities: [], limit: 200, offset: 0 }

it.effect(
  "an empty board gets cards in every visible column, a result and proposals; a board in use stays as it is",
  () =>
    Effect.gen(function* () {
      const board = yield* Board
      const now = Date.UTC(2026, 10, 20, 9)
      yield* TestClock.setTime(now)
      const spent = yield* seedBoard()
      const { items, total } = yield* board.list(everything)
      assert.deepStrictEqual(
        [...new Set(items.map(({ status }) => status))],
        ["backlog", "todo", "in-progress", "review", "done"]
      )
      assert.isOk(items.find(({ status, result }) => status === "review" && result !== undefined))
      assert.lengthOf(yield* board.runs("active"), 0)
      const runs = items.flatMap(({ run }) => (run === undefined ? [] : [run]))
      assert.sameMembers(
        runs.map(({ status }) => status),
        ["done", "error", "done"]
      )
      for (const { endedAt = 0, startedAt } of runs) {
        assert.isAbove(endedAt, startedAt)
        assert.isBelow(endedAt, now)
      }
      assert.sameMembers(
        spent.map(({ sessionKey }) => sessionKey),
        runs.map(({ sessionKey }) => sessionKey)
      )
      assert.deepStrictEqual((yield* board.proposals("pending")).map(({ type }) => type).sort(), ["create", "update"])
      assert.lengthOf(yield* seedBoard(), 0)
      assert.strictEqual((yield* board.list(everything)).total, total)
    }).pipe(Effect.provide(Layer.provide(Board.layer, boardInMemory)))
)
