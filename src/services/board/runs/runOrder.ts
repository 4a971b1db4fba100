import { Schema } from "effect"

/** What the runner needs to start or stop a run. */
export const RunOrder = Schema.Struct({
  taskId: Schema.String,
  sessionKey: Schema.String,
  runId: Schema.String,
  /** Epoch milliseconds. */
  startedAt: Schema.Finite,
  model: Schema.String,
  /** Nobody chose this model: the run may continue without it. */
  modelIsFallback: Schema.Boolean,
  thinking: Schema.optional(Schema.String),
  /** The added gateway it runs on; absent for the primary one. */
  gatewayId: Schema.optionalKey(Schema.String),
  /** Of a board that several consoles share: the process that carries the run out, and how often it changed hands. */
  owner: Schema.optionalKey(Schema.String),
  fence: Schema.optionalKey(Schema.Int)
})
export type RunOrder = typeof RunOrder.Type
