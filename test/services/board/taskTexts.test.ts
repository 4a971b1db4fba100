import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { Board, type BoardShape } from "../../../src/services/board/Board.ts"
import { makeTaskTexts, withPlace } from "../../../src/services/board/taskTexts.ts"
import { Settings } from "../../../src/services/platform/settings/Settings.ts"
import { Sqlite } from "../../../src/services/platform/sqlite/Sqlite.ts"
import { boardInFile } from "../../support/boardStores.ts"
import { testSettings } from "../../support/testSettings.ts"
import { onEveryStore } from "./onEveryStore.ts"

const everything = { statuses: [], priorities: [], limit: 200, offset: 0 } as const

const assertSame = Effect.fnUntraced(function* (board: BoardShape, query: object = {}) {
  const page = yield* board.list({ ...everything, ...query })
  assert.strictEqual(yield* board.listText({ ...everything, ...query }), JSON.stringify(page))
  return page
})

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
              all.map((text) => JSON.parse(withPlace(text, 0)).title),
              ["one", "two", "three"]
            )
          }
        }
      })
    )
  })
})

it.live("holds what another process wrote, also without a new version", () =>
  Effect.gen(function* () {
    const svcHome = mkdtempSync(join(tmpdir(), "agent-console-texts-"))
    yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(svcHome, { recursive: true, force: true })))
    const layer = Layer.provide(boardInFile, Settings.layerOf(testSettings({ svcHome })))
    const board = yield* Effect.provide(Board, yield* Layer.build(layer))
    const other = yield* Effect.provide(Sqlite, yield* Layer.build(Layer.fresh(layer)))
    yield* board.create({ title: "Before" })
    yield* assertSame(board)
    yield* other.transaction((db) => Result.succeed(db.run("UPDATE tasks SET title = 'After'")))
    assert.strictEqual((yield* assertSame(board)).items[0]?.title, "After")
  })
)
