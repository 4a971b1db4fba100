import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { closed, makeTaskTexts } from "../../../../src/services/board/store/taskTexts.ts"
import { assertSame } from "../assertSame.ts"
import { onEveryStore } from "../onEveryStore.ts"

onEveryStore("texts", ({ makeBoardWorld }) => {
  describe("a page as JSON", () => {
    it.effect("is the page, whatever happened to its tasks since it was last asked", () =>
      Effect.gen(function* () {
        const { board } = yield* makeBoardWorld()
        yield* assertSame(board)
        const chore = yield* board.create({
          title: "Chore",
          description: "\u2028 and \ud800 alone",
          assignee: "operator"
        })
        const work = yield* board.create({
          title: 'The "work"',
          labels: ["a"],
          assignee: "agent:main",
          estimateMin: 0.5
        })
        yield* assertSame(board)
        const run = yield* board.begin(work.id, {}, "main")
        yield* assertSame(board)
        yield* board.complete(work.id, { result: "Done." })
        yield* assertSame(board)
        yield* board.reject(work.id, { note: "Not yet." })
        yield* assertSame(board)
        yield* board.patch(chore.id, { version: chore.version, labels: ["b", "c"], dueAt: 1_900_000_000_000 })
        yield* assertSame(board)
        yield* assertSame(board, { limit: 1, offset: 1 })
        yield* assertSame(board, { q: "work" })
        yield* assertSame(board, { label: "c" })
        yield* board.remove(chore.id)
        assert.lengthOf((yield* assertSame(board)).items, 1)
        assert.isDefined(run)
      })
    )

    it.effect("is right when there is room for the texts of no task, or of one", () =>
      Effect.gen(function* () {
        const { board, store } = yield* makeBoardWorld()
        const made = yield* Effect.forEach(["one", "two", "three"], (title) => board.create({ title }))
        for (const size of [0, 300]) {
          const texts = makeTaskTexts(size)
          for (let turn = 0; turn < 2; turn += 1) {
            const all = yield* store.read((db) => texts.of(db, made))
            assert.deepStrictEqual(
              all.map(({ text }) => JSON.parse(closed(text, 0, {})).title),
              ["one", "two", "three"]
            )
          }
        }
      })
    )
  })
})
