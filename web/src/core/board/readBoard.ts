import type { Absent } from "../../../../src/contract/looseFields.ts"
import { qualifiedKey } from "../../../../src/contract/qualifiedKey.ts"
import type * as Config from "../../../../src/contract/schema/boardConfig.ts"
import type * as Answer from "../../../../src/contract/schema/proposal.ts"
import type * as Card from "../../../../src/contract/schema/task.ts"
import { failureText } from "../link/failureText.ts"
import type { BoardConfig, CardWait, Proposal, RunLink, Task } from "./boardTypes.ts"

const NOT_IN_RUN: Absent<Omit<Card.RunLink, "sessionId" | "runId" | "why" | "noteWhy">> = {
  endedAt: null,
  error: null,
  note: null,
  console: null,
  gateway: null,
  gatewayId: null,
  paused: null,
  automatic: null
}

const NOT_IN_TASK: Omit<Absent<Card.Task>, "attempts" | "waitsFor"> = {
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
  commentCount: null,
  parentId: null,
  startAt: null,
  retry: null,
  children: null
}

const NOT_IN_PROPOSAL: Absent<Answer.Proposal> = { sourceSessionKey: null, resolvedAt: null, reason: null }

/** The lines of a run's note in the page's language. */
const noteOf = ({ note, noteWhy = [] }: Card.RunLink): string | null =>
  note === undefined
    ? null
    : note
        .split("\n")
        .map((line, at) => failureText(line, noteWhy[at]))
        .join("\n")

export const runOf = ({ sessionKey, ...run }: Card.RunLink): RunLink => ({
  ...NOT_IN_RUN,
  ...run,
  error: failureText(run.error ?? null, run.why),
  note: noteOf({ sessionKey, ...run }),
  sessionKey: run.gatewayId === undefined ? sessionKey : qualifiedKey(run.gatewayId, sessionKey)
})

/** A card of an earlier version, which the browser kept, says nothing about when it starts. */
export const keptTask = (task: Task): Task => ({
  ...NOT_IN_TASK,
  ...{ after: [], autoStart: false, attempts: 0, waitsFor: [] },
  ...task
})

export const waitsOf = (waits: Card.Task["waitsFor"] = []): ReadonlyArray<CardWait> =>
  waits.map(({ details, why, ...wait }) => ({
    id: null,
    until: null,
    title: null,
    ...wait,
    details: failureText(details, why)
  }))

/** A card as the page keeps it. */
export const taskOf = (task: Card.Task): Task => ({
  ...NOT_IN_TASK,
  ...task,
  labels: [...new Set(task.labels)],
  run: task.run === undefined ? null : runOf(task.run),
  attempts: task.attempts ?? 0,
  waitsFor: waitsOf(task.waitsFor)
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
