import { Schema } from "effect"
import { BoardConfig } from "./boardConfig.ts"
import { Proposal } from "./proposal.ts"
import { SavedView } from "./savedView.ts"
import { Task } from "./task.ts"

/** Data of `kanban.changed`. */
export const KanbanChange = Schema.Struct({
  kind: Schema.Literals(["task", "proposal", "config", "views", "routine", "template"]),
  action: Schema.Literals(["created", "updated", "moved", "deleted", "resolved", "routine", "template"]),
  /** The task's, proposal's, routine's or template's id; `config` for the configuration, `views` for the saved views. */
  id: Schema.String,
  version: Schema.optionalKey(Schema.Int),
  task: Schema.optionalKey(Task),
  proposal: Schema.optionalKey(Proposal),
  config: Schema.optionalKey(BoardConfig),
  /** All of them. */
  views: Schema.optionalKey(Schema.Array(SavedView))
})
export type KanbanChange = typeof KanbanChange.Type
