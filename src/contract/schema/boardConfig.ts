import { Effect, Schema } from "effect"
import { failure } from "../failures.ts"
import { body, clearable, filledText, flag, list, maybe, number, oneOf, required, wholeNumber } from "./fields.ts"
import { TaskPriority, TaskStatus } from "./task.ts"

const Column = body({
  key: required(TaskStatus),
  title: required(filledText(100)),
  /** 0 or absent means unlimited; enforced by the web app. */
  wipLimit: maybe(number(0)),
  visible: required(flag)
})

export type BoardColumn = typeof Column.Type

const Columns = list(Column, 1, 10)
const QuickViewLimit = wholeNumber(1, 50)
const ProposalPolicy = oneOf(["confirm", "auto"])
const DefaultModel = filledText(100)

const parallel = { total: wholeNumber(1, 50), perAgent: wholeNumber(1, 20), paused: flag }

/** How many cards run at once, and whether automatic starts are switched off. */
const Parallel = Schema.Struct(parallel)
export type Parallel = typeof Parallel.Type

/** Of a new board, and of one whose configuration is older. */
export const DEFAULT_PARALLEL: Parallel = { total: 3, perAgent: 1, paused: false }

/** The board's settings and columns. */
export const BoardConfig = Schema.Struct({
  columns: Columns,
  defaults: Schema.Struct({ status: TaskStatus, priority: TaskPriority }),
  reviewRequired: flag,
  allowDoneDragBypass: flag,
  quickViewLimit: QuickViewLimit,
  proposalPolicy: ProposalPolicy,
  defaultModel: Schema.optionalKey(DefaultModel),
  parallel: Parallel.pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed(DEFAULT_PARALLEL))),
  /** Whether a card is started with the results of the cards it waited for. */
  handOver: flag.pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed(true)))
}).annotate({ identifier: "BoardConfig" })
export type BoardConfig = typeof BoardConfig.Type

/** Body of `PUT /api/kanban/config`: absent fields stay; `defaultModel: null` clears it. */
export const BoardConfigPatch = body({
  columns: maybe(Columns),
  defaults: maybe(body({ status: maybe(TaskStatus), priority: maybe(TaskPriority) })),
  reviewRequired: maybe(flag),
  allowDoneDragBypass: maybe(flag),
  quickViewLimit: maybe(QuickViewLimit),
  proposalPolicy: maybe(ProposalPolicy),
  defaultModel: clearable(DefaultModel, failure("MUST_BE_TEXT_OR_NULL")),
  parallel: maybe(body({ total: maybe(parallel.total), perAgent: maybe(parallel.perAgent), paused: maybe(flag) })),
  handOver: maybe(flag)
})
export type BoardConfigPatch = typeof BoardConfigPatch.Type
