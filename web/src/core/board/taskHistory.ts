import { columnTitle } from "./boardText.ts"
import type { BoardConfig, Proposal, Task } from "./boardTypes.ts"

/** An event in a card's history; `at` is epoch milliseconds. */
export interface HistoryEntry {
  readonly at: number
  /** `operator` or `agent:<label>`; null if the board doesn't know. */
  readonly by: string | null
  readonly what: string
  readonly note: string | null
}

const RUN_END = {
  running: "",
  done: "finished the work",
  error: "couldn't finish the work",
  aborted: "was stopped"
} as const

type Step = NonNullable<Task["history"]>[number]

/** What somebody did to a card, in words. */
const stepText = (config: BoardConfig | null, { from, to, what }: Step): string => {
  switch (what) {
    case "moved":
      return `moved it from ${columnTitle(config, from)} to ${columnTitle(config, to)}`
    case "started":
      return "gave it to the agent"
    case "stopped":
      return "stopped the agent"
    case "approved":
      return "approved it"
    case "sent-back":
      return "sent it back"
  }
}

/** What is known of a card's history, newest first: created, moved, worked on, noted, proposed, changed. */
export const taskHistory = (
  task: Task,
  proposals: ReadonlyArray<Proposal>,
  config: BoardConfig | null
): ReadonlyArray<HistoryEntry> => {
  const agent = task.assignee?.startsWith("agent:") === true ? task.assignee : "agent:main"
  const entries: Array<HistoryEntry> = [
    { at: task.createdAt, by: task.createdBy, what: "created this card", note: null },
    ...task.feedback.map(({ at, by, note }) => ({ at, by, what: "added a note", note })),
    ...(task.history ?? []).map((step) => ({ at: step.at, by: step.by, what: stepText(config, step), note: null }))
  ]
  const run = task.run
  if (run !== null) {
    entries.push({ at: run.startedAt, by: agent, what: "started working on it", note: run.note })
    if (run.endedAt !== null) entries.push({ at: run.endedAt, by: agent, what: RUN_END[run.status], note: run.error })
  }
  if (task.resultAt !== null && task.resultAt !== run?.endedAt)
    entries.push({ at: task.resultAt, by: null, what: "Result added", note: null })
  for (const proposal of proposals) {
    if (proposal.type !== "update" || proposal.payload.id !== task.id) continue
    entries.push({ at: proposal.proposedAt, by: proposal.proposedBy, what: "proposed a change", note: null })
    if (proposal.resolvedAt === null) continue
    const what = proposal.status === "approved" ? "approved the proposed change" : "rejected the proposed change"
    entries.push({ at: proposal.resolvedAt, by: "operator", what, note: proposal.reason })
  }
  if (entries.every(({ at }) => at < task.updatedAt))
    entries.push({ at: task.updatedAt, by: null, what: "Last updated", note: null })
  return entries.sort((a, b) => b.at - a.at)
}
