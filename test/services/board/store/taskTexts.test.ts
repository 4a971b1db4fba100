import { assert, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { Board } from "../../../../src/services/board/Board.ts"
import { Settings } from "../../../../src/services/platform/settings/Settings.ts"
import { Sqlite } from "../../../../src/services/platform/sqlite/Sqlite.ts"
import { boardInFile } from "../../../support/boardStores.ts"
import { temporaryFolder } from "../../../support/fileServices.ts"
import { testSettings } from "../../../support/testSettings.ts"
import { assertSame } from "../assertSame.ts"

it.live("holds what another process wrote, also without a new version", () =>
  Effect.gen(function* () {
    const svcHome = yield* temporaryFolder
    const layer = Layer.provide(boardInFile, Settings.layerOf(testSettings({ svcHome })))
    const board = yield* Effect.provide(Board, yield* Layer.build(layer))
    const other = yield* Effect.provide(Sqlite, yield* Layer.build(Layer.fresh(layer)))
    yield* board.create({ title: "Before" })
    yield* assertSame(board)
    yield* other.transaction((db) => Result.succeed(db.run("UPDATE tasks SET title = 'After'")))
    assert.strictEqual((yield* assertSame(board)).items[0]?.title, "After")
  })
)
