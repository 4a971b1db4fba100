import { Effect } from "effect"
import { TaskTemplate } from "../../../contract/schema/template.ts"
import { insertInto, integer, json, table, text } from "../../platform/sqlite/table.ts"
import type { BoardDb } from "./BoardStore.ts"

const TEMPLATE = table("t", { id: text, name: text, task: json(TaskTemplate.fields.task), version: integer })
const PUT_TEMPLATE = insertInto("board_templates", TEMPLATE.names, "id")
const SELECT = `SELECT ${TEMPLATE.selected()} FROM board_templates t`

/** Every template, by name. */
export const listTemplates = (db: BoardDb) =>
  Effect.map(db.rows(SELECT), (rows) =>
    rows
      .map((row): TaskTemplate => TEMPLATE.read(row))
      .toSorted((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id))
  )

export const findTemplate = (db: BoardDb, id: string) =>
  Effect.map(db.rows(`${SELECT} WHERE t.id = ?`, id), ([row]): TaskTemplate | undefined =>
    row === undefined ? undefined : TEMPLATE.read(row)
  )

/** Adds a template, or replaces the one with its id. */
export const saveTemplate = (db: BoardDb, template: TaskTemplate) => db.run(PUT_TEMPLATE, ...TEMPLATE.values(template))

export const deleteTemplate = (db: BoardDb, id: string) => db.run("DELETE FROM board_templates WHERE id = ?", id)

/** Replaces every template, as an imported board does. */
export const replaceTemplates = Effect.fnUntraced(function* (db: BoardDb, templates: ReadonlyArray<TaskTemplate>) {
  yield* db.run("DELETE FROM board_templates")
  for (const template of templates) yield* saveTemplate(db, template)
})
