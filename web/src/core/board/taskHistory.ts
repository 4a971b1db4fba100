import { say } from "../language/say.ts"
import type { BoardConfig, Proposal, Task } from "./boardTypes.ts"
import { columnTitle } from "./columns.ts"

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
  done: say("finished the work"),
  error: say("couldn't finish the work"),
  aborted: say("was stopped")
} as const

type Step = NonNullable<Task["history"]>[number]

/** What somebody did to a card, in words. */
const stepText = (config: BoardConfig | null, { from, to, what }: Step): string => {
  switch (what) {
    case "moved":
      return say("moved it from {from} to {to}", { from: columnTitle(config, from), to: columnTitle(config, to) })
    case "started":
      return say("gave it to the agent")
    case "stopped":
      return say("stopped the agent")
    case "approved":
      return say("approved it")
    case "sent-back":
      return say("sent it back")
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
    { at: task.createdAt, by: task.createdBy, what: say("created this card"), note: null },
    ...task.feedback.map(({ at, by, note }) => ({ at, by, what: say("added a note"), note })),
    ...(task.history ?? []).map((step) => ({ at: step.at, by: step.by, what: stepText(config, step), note: null }))
  ]
  const run = task.run
  if (run !== null) {
    entries.push({ at: run.startedAt, by: agent, what: say("started working on it"), note: run.note })
    if (run.endedAt !== null) entries.push({ at: run.endedAt, by: agent, what: RUN_END[run.status], note: run.error })
  }
  if (task.resultAt !== null && task.resultAt !== run?.endedAt)
    entries.push({ at: task.resultAt, by: null, what: say("Result added"), note: null })
  for (const proposal of proposals) {
    if (proposal.type !== "update" || proposal.payload.id !== task.id) continue
    entries.push({ at: proposal.proposedAt, by: proposal.proposedBy, what: say("proposed a change"), note: null })
    if (proposal.resolvedAt === null) continue
    const what =
      proposal.status === "approved" ? say("approved the proposed change") : say("rejected the proposed change")
    entries.push({ at: proposal.resolvedAt, by: "operator", what, note: proposal.reason })
  }
  if (entries.every(({ at }) => at < task.updatedAt))
    entries.push({ at: task.updatedAt, by: null, what: say("Last updated"), note: null })
  return entries.sort((a, b) => b.at - a.at)
}
