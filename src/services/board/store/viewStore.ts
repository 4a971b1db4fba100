import { Effect, Schema } from "effect"
import { MAX_VIEWS, SavedView, type SaveView } from "../../../contract/schema/savedView.ts"
import { TooManyViews, ViewNotFound } from "../boardErrors.ts"
import { type Mutation, viewsChange } from "../boardEvents.ts"
import type { BoardDb } from "./BoardStore.ts"

const decodeRows = Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ value: Schema.fromJsonString(SavedView) })))

/** The saved views, by name. */
export const listViews = (db: BoardDb) =>
  Effect.map(db.all("SELECT value FROM board_views"), (rows) =>
    decodeRows(rows)
      .map(({ value }) => value)
      .toSorted((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id))
  )

const writeView = (db: BoardDb, view: SavedView) =>
  db.run(
    "INSERT INTO board_views (id, value) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET value = excluded.value",
    view.id,
    JSON.stringify(view)
  )

const withViews = Effect.fnUntraced(function* <A>(db: BoardDb, value: A) {
  const mutation: Mutation<A> = { value, changes: [viewsChange(yield* listViews(db))], runs: [] }
  return mutation
})

/** Saves a view under this id, whether there was one or not. */
export const saveView = Effect.fnUntraced(function* (db: BoardDb, id: string, input: SaveView) {
  const views = yield* listViews(db)
  if (views.length >= MAX_VIEWS && !views.some((view) => view.id === id))
    return yield* new TooManyViews({ max: MAX_VIEWS })
  const view: SavedView = { id, ...input }
  yield* writeView(db, view)
  return yield* withViews(db, view)
})

/** Removes a view. */
export const removeView = Effect.fnUntraced(function* (db: BoardDb, id: string) {
  const views = yield* listViews(db)
  if (!views.some((view) => view.id === id)) return yield* new ViewNotFound({ id })
  yield* db.run("DELETE FROM board_views WHERE id = ?", id)
  return yield* withViews(db, undefined)
})

/** Replaces every view, as an imported board does. */
export const replaceViews = Effect.fnUntraced(function* (db: BoardDb, views: ReadonlyArray<SavedView>) {
  yield* db.run("DELETE FROM board_views")
  for (const view of views) yield* writeView(db, view)
})
