import { Schema } from "effect"
import type { BoardConfig } from "../../contract/schema/boardConfig.ts"
import { KanbanChange } from "../../contract/schema/kanbanChange.ts"
import type { Proposal } from "../../contract/schema/proposal.ts"
import type { SavedView } from "../../contract/schema/savedView.ts"
import type { Task } from "../../contract/schema/task.ts"
import { RunNote } from "./runs/runNote.ts"
import { RunOrder } from "./runs/runOrder.ts"

/** What the runner needs to know: a run to start, or one that's over. */
export const RunChange = Schema.Union([
  Schema.Struct({ type: Schema.Literal("started"), order: RunOrder }),
  Schema.Struct({ type: Schema.Literal("ended"), sessionKey: Schema.String, stop: Schema.Boolean })
])
export type RunChange = typeof RunChange.Type

/** What one transaction tells the rest of the console. */
export const Published = Schema.Struct({
  changes: Schema.Array(KanbanChange),
  runs: Schema.Array(RunChange),
  /** Log lines besides those about the runs. */
  notes: Schema.optionalKey(Schema.Array(RunNote))
})
export type Published = typeof Published.Type

/** What one transaction did: its result, and what to publish once it's on disk. */
export interface Mutation<A> extends Published {
  readonly value: A
}

/** A transaction that nobody needs to hear of. */
export const quiet = <A>(value: A): Mutation<A> => ({ value, changes: [], runs: [] })

export const taskChange = (action: "created" | "updated" | "moved", task: Task): KanbanChange => ({
  kind: "task",
  action,
  id: task.id,
  version: task.version,
  task
})

export const taskDeleted = (id: string, version: number): KanbanChange => ({
  kind: "task",
  action: "deleted",
  id,
  version
})

export const proposalChange = (action: "created" | "resolved", proposal: Proposal): KanbanChange => ({
  kind: "proposal",
  action,
  id: proposal.id,
  version: proposal.version,
  proposal
})

export const configChange = (config: BoardConfig): KanbanChange => ({
  kind: "config",
  action: "updated",
  id: "config",
  config
})

export const viewsChange = (views: ReadonlyArray<SavedView>): KanbanChange => ({
  kind: "views",
  action: "updated",
  id: "views",
  views
})
