import { Schema } from "effect"
import type { BoardConfig } from "../../contract/schema/boardConfig.ts"
import { KanbanChange } from "../../contract/schema/kanbanChange.ts"
import type { Proposal } from "../../contract/schema/proposal.ts"
import type { SavedView } from "../../contract/schema/savedView.ts"
import type { Task } from "../../contract/schema/task.ts"

/** What the runner needs to start or stop a run. */
export const RunOrder = Schema.Struct({
  taskId: Schema.String,
  sessionKey: Schema.String,
  runId: Schema.String,
  /** Epoch milliseconds. */
  startedAt: Schema.Finite,
  model: Schema.String,
  /** The model is only the fallback, so the run may continue without it. */
  modelIsFallback: Schema.Boolean,
  thinking: Schema.optional(Schema.String),
  /** The added gateway it runs on; absent for the primary one. */
  gatewayId: Schema.optionalKey(Schema.String),
  /** Of a board that several consoles share: the process that carries the run out, and how often it changed hands. */
  owner: Schema.optionalKey(Schema.String),
  fence: Schema.optionalKey(Schema.Int)
})
export type RunOrder = typeof RunOrder.Type

/** A log line about what an agent did for the board. */
export const RunNote = Schema.Struct({
  type: Schema.Literals(["run", "marker"]),
  level: Schema.Literals(["info", "warning", "error"]),
  message: Schema.String,
  data: Schema.Record(Schema.String, Schema.String)
})
export type RunNote = typeof RunNote.Type

/** What the runner needs to know: a run to start, one that goes on with another message, or one that's over. */
export const RunChange = Schema.Union([
  Schema.Struct({ type: Schema.Literal("started"), order: RunOrder }),
  Schema.Struct({ type: Schema.Literal("resumed"), order: RunOrder }),
  Schema.Struct({ type: Schema.Literal("ended"), sessionKey: Schema.String, stop: Schema.Boolean })
])
export type RunChange = typeof RunChange.Type

/** What one transaction publishes to the rest of the console. */
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

/** The result of a transaction that publishes nothing. */
export const withoutEvents = <A>(value: A): Mutation<A> => ({ value, changes: [], runs: [] })

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

export const routineChange = (id: string): KanbanChange => ({ kind: "routine", action: "routine", id })

export const templateChange = (id: string): KanbanChange => ({ kind: "template", action: "template", id })
