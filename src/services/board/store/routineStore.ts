import { Effect, Schema } from "effect"
import { Routine } from "../../../contract/schema/routine.ts"
import { flag, insertInto, integer, json, optional, table, text } from "../../platform/sqlite/table.ts"
import type { BoardDb } from "./BoardStore.ts"

/** A routine and how many cards it has made, which its titles count. */
export const StoredRoutine = Schema.Struct({ ...Routine.fields, made: Schema.Int })
export type StoredRoutine = typeof StoredRoutine.Type

const ROUTINE = table("r", {
  id: text,
  name: text,
  schedule: json(Routine.fields.schedule),
  task: json(Routine.fields.task),
  enabled: flag,
  skipWhileOpen: flag,
  nextAt: optional(integer),
  lastAt: optional(integer),
  lastTaskId: optional(text),
  version: integer,
  made: integer
})
const PUT_ROUTINE = insertInto("board_routines", ROUTINE.names, "id")
const SELECT = `SELECT ${ROUTINE.selected()} FROM board_routines r`

/** Every routine, by name. */
export const listRoutines = (db: BoardDb) =>
  Effect.map(db.rows(SELECT), (rows) =>
    rows
      .map((row): StoredRoutine => ROUTINE.read(row))
      .toSorted((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id))
  )

export const findRoutine = (db: BoardDb, id: string) =>
  Effect.map(db.rows(`${SELECT} WHERE r.id = ?`, id), ([row]): StoredRoutine | undefined =>
    row === undefined ? undefined : ROUTINE.read(row)
  )

/** The enabled routine that is due first. */
export const firstRoutine = (db: BoardDb) =>
  Effect.map(
    db.rows(`${SELECT} WHERE r.next_at IS NOT NULL ORDER BY r.next_at, r.id LIMIT 1`),
    ([row]): StoredRoutine | undefined => (row === undefined ? undefined : ROUTINE.read(row))
  )

/** Adds a routine, or replaces the one with its id. */
export const saveRoutine = (db: BoardDb, routine: StoredRoutine) => db.run(PUT_ROUTINE, ...ROUTINE.values(routine))

export const deleteRoutine = (db: BoardDb, id: string) => db.run("DELETE FROM board_routines WHERE id = ?", id)

/** Replaces every routine, as an imported board does. */
export const replaceRoutines = Effect.fnUntraced(function* (db: BoardDb, routines: ReadonlyArray<StoredRoutine>) {
  yield* db.run("DELETE FROM board_routines")
  for (const routine of routines) yield* saveRoutine(db, routine)
})
