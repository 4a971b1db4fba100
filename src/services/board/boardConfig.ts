import { Schema } from "effect"
import { DEFAULT_TITLES } from "../../contract/answers/BoardAnswers.ts"
import {
  body,
  clearable,
  filledText,
  flag,
  list,
  maybe,
  number,
  oneOf,
  required,
  wholeNumber
} from "../../contract/schema/fields.ts"
import { TaskPriority, TaskStatus } from "./tasks/task.ts"

const Column = body({
  key: required(TaskStatus),
  title: required(filledText(100)),
  /** 0 or absent means unlimited; enforced by the web app. */
  wipLimit: maybe(number(0)),
  visible: required(flag)
})

const Columns = list(Column, 1, 10)
const QuickViewLimit = wholeNumber(1, 50)
const ProposalPolicy = oneOf(["confirm", "auto"])
const DefaultModel = filledText(100)

/** The board's settings and columns. */
export const BoardConfig = Schema.Struct({
  columns: Columns,
  defaults: Schema.Struct({ status: TaskStatus, priority: TaskPriority }),
  reviewRequired: flag,
  allowDoneDragBypass: flag,
  quickViewLimit: QuickViewLimit,
  proposalPolicy: ProposalPolicy,
  defaultModel: Schema.optionalKey(DefaultModel)
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
  defaultModel: clearable(DefaultModel, "must be text or null")
})
export type BoardConfigPatch = typeof BoardConfigPatch.Type

const column = (key: TaskStatus, visible = true) => ({ key, title: DEFAULT_TITLES[key], visible })

/** The configuration of a new board. */
export const DEFAULT_BOARD_CONFIG: BoardConfig = {
  columns: [
    column("backlog"),
    column("todo"),
    column("in-progress"),
    column("review"),
    column("done"),
    column("cancelled", false)
  ],
  defaults: { status: "todo", priority: "normal" },
  reviewRequired: true,
  allowDoneDragBypass: false,
  quickViewLimit: 5,
  proposalPolicy: "confirm"
}

/** The configuration with the named parts replaced. */
export const updateConfig = (config: BoardConfig, patch: BoardConfigPatch): BoardConfig => {
  const { defaults, defaultModel, ...rest } = patch
  const { defaultModel: currentModel, ...current } = config
  const model = defaultModel === undefined ? currentModel : defaultModel
  return {
    ...current,
    ...rest,
    defaults: { ...current.defaults, ...defaults },
    ...(model === undefined || model === null ? {} : { defaultModel: model })
  }
}
