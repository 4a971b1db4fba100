import { qualifiedKey } from "../../../../src/contract/qualifiedKey.ts"
import type * as Config from "../../../../src/contract/schema/boardConfig.ts"
import type * as Answer from "../../../../src/contract/schema/proposal.ts"
import type * as Card from "../../../../src/contract/schema/task.ts"
import type { Absent } from "../common/decode.ts"
import type { BoardConfig, Proposal, RunLink, Task } from "./boardTypes.ts"

const NOT_IN_RUN: Absent<Omit<Card.RunLink, "sessionId" | "runId">> = {
  endedAt: null,
  error: null,
  note: null,
  console: null,
  gateway: null,
  gatewayId: null
}

const NOT_IN_TASK: Absent<Card.Task> = {
  description: null,
  sourceSessionKey: null,
  assignee: null,
  gatewayId: null,
  run: null,
  result: null,
  resultAt: null,
  model: null,
  thinking: null,
  dueAt: null,
  estimateMin: null,
  actualMin: null,
  history: null,
  checklist: null,
  commentCount: null
}

const NOT_IN_PROPOSAL: Absent<Answer.Proposal> = { sourceSessionKey: null, resolvedAt: null, reason: null }

const runOf = ({ sessionKey, ...run }: Card.RunLink): RunLink => ({
  ...NOT_IN_RUN,
  ...run,
  sessionKey: run.gatewayId === undefined ? sessionKey : qualifiedKey(run.gatewayId, sessionKey)
})

/** A card as the page keeps it. */
export const taskOf = (task: Card.Task): Task => ({
  ...NOT_IN_TASK,
  ...task,
  labels: [...new Set(task.labels)],
  run: task.run === undefined ? null : runOf(task.run)
})

export const proposalOf = (proposal: Answer.Proposal): Proposal => ({ ...NOT_IN_PROPOSAL, ...proposal })

/** The board's configuration; of a column that's named twice, the first counts. */
export const configOf = (config: Config.BoardConfig): BoardConfig => ({
  ...config,
  columns: config.columns
    .filter(({ key }, index) => config.columns.findIndex((column) => column.key === key) === index)
    .map((column) => ({ wipLimit: 0, ...column })),
  defaultModel: config.defaultModel ?? null
})
