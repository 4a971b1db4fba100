import { isDeepStrictEqual } from "node:util"
import { Effect, Schema } from "effect"
import { clearBoard, exportBoard, importBoard, isEmptyBoard } from "./boardArchive.ts"
import { ArchiveRefused } from "./boardErrors.ts"
import { quiet } from "./boardEvents.ts"
import type { BoardDb, BoardStoreShape } from "./store/BoardStore.ts"
import { listRuns } from "./store/runStore.ts"

const decodeResponses = Schema.decodeUnknownSync(
  Schema.Array(Schema.Struct({ session_key: Schema.String, run_id: Schema.String }))
)

/** The whole board, and which responses' markers were read. */
const takeBoard = Effect.fnUntraced(function* (db: BoardDb) {
  const archive = yield* exportBoard(db)
  const responses = decodeResponses(yield* db.all("SELECT session_key, run_id FROM read_responses"))
  const keys = responses.map(({ run_id, session_key }) => JSON.stringify([session_key, run_id])).sort()
  return { archive, responses, keys }
})

type Taken = Effect.Success<ReturnType<typeof takeBoard>>

const isSame = (a: Taken, b: Taken): boolean =>
  isDeepStrictEqual(a.archive, b.archive) && isDeepStrictEqual(a.keys, b.keys)

const refuse = (message: string) => Effect.fail(new ArchiveRefused({ message }))

/** Copies a board into an empty store and checks that both are the same; if anything is amiss, the target stays empty. */
export const moveBoard = Effect.fnUntraced(function* (source: BoardStoreShape, target: BoardStoreShape) {
  const taken = yield* source.read(
    Effect.fnUntraced(function* (db) {
      if ((yield* listRuns(db, "active")).length > 0)
        return yield* refuse("agents are working on the board: wait for them or stop their runs, then move it")
      return yield* takeBoard(db)
    })
  )
  const moved = yield* target.mutate(
    Effect.fnUntraced(function* (db) {
      if (!(yield* isEmptyBoard(db))) return yield* refuse("there's a board already where this one should go")
      const imported = yield* importBoard(db, taken.archive, { replace: false })
      for (const { run_id, session_key } of taken.responses)
        yield* db.run("INSERT INTO read_responses VALUES (?, ?) ON CONFLICT DO NOTHING", session_key, run_id)
      const copy = yield* takeBoard(db)
      return isSame(taken, copy)
        ? quiet(imported.value)
        : yield* refuse("the copy isn't the same as the board: please report this")
    })
  )
  if (isSame(taken, yield* source.read(takeBoard))) return moved
  yield* target.mutate((db) => Effect.map(Effect.andThen(clearBoard(db), db.run("DELETE FROM read_responses")), quiet))
  return yield* refuse("the board changed while it was moved: stop the consoles that use it, then move it")
})
