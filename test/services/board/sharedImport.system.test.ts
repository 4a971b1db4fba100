import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { exportBoard, importBoard } from "../../../src/services/board/boardArchive.ts"
import { freePort } from "../../support/freePort.ts"
import { hasPostgres, NEEDS_POSTGRES, postgresServer } from "../../support/postgres.ts"
import { atLast, eventually, sharedBoard } from "./sharedBoard.ts"

const everything = { statuses: [], priorities: [], limit: 200, offset: 0 } as const

describe.skipIf(!hasPostgres)(`a board that is replaced by an import (${NEEDS_POSTGRES})`, () => {
  it.live("is sent to the pages of every console: deleted and new cards", () =>
    Effect.gen(function* () {
      const pg = yield* postgresServer(yield* Effect.promise(freePort))
      const { board, store } = yield* sharedBoard(pg.url("postgres"), "one")
      const kept = yield* board.create({ title: "Kept" })
      const archive = yield* store.read(exportBoard)
      const late = yield* board.create({ title: "Made after the export" })
      const other = yield* sharedBoard(pg.url("postgres"), "other")
      assert.strictEqual((yield* atLast(other.board.list(everything))).total, 2)
      const before = other.told.length

      yield* store.mutate((db) => importBoard(db, archive, { replace: true }))
      yield* eventually(() => other.told.at(-1)?.kind === "config")
      assert.deepStrictEqual(
        other.told.slice(before).map(({ action, id, kind }) => [kind, action, id]),
        [
          ["task", "deleted", kept.id],
          ["task", "deleted", late.id],
          ["task", "created", kept.id],
          ["views", "updated", "views"],
          ["config", "updated", "config"]
        ]
      )
      assert.deepStrictEqual((yield* other.board.list(everything)).items, [kept])
      assert.notInclude(yield* other.board.listText(everything), "Made after")
    })
  )
})
