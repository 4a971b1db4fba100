import type { TaskComment } from "../../../contract/schema/comment.ts"
import { checklistMarkdown, type TaskContent } from "../tasks/taskRules.ts"
import { type HandedOver, handOver } from "./handOver.ts"

/** Characters of comments in a prompt; of more, the latest count. */
const COMMENTS_MAX = 20_000

const listed = (text: string): string => `- ${text.replace(/\r?\n/g, "\n  ")}`

const latestComments = (comments: ReadonlyArray<TaskComment>): ReadonlyArray<string> => {
  let left = COMMENTS_MAX
  const latest = comments
    .map(({ by, text }) => listed(`${by}: ${text}`))
    .toReversed()
    .filter((line) => {
      left -= line.length
      return left >= 0
    })
  return latest.toReversed()
}

/** The agent's prompt: title, description, checklist, the results of the tasks before it, the notes from earlier reviews and what was said about the task. */
export const runPrompt = (
  task: Pick<TaskContent, "title" | "description" | "feedback" | "checklist">,
  comments: ReadonlyArray<TaskComment> = [],
  results: ReadonlyArray<HandedOver> = []
): string => {
  const parts = [task.title]
  if (task.description !== undefined && task.description.trim().length > 0) parts.push(task.description)
  if (task.checklist !== undefined) parts.push(`Checklist:\n${checklistMarkdown(task.checklist)}`)
  const handed = handOver(results)
  if (handed !== undefined) parts.push(handed)
  if (task.feedback.length > 0) {
    const notes = task.feedback.map(({ note }) => listed(note))
    parts.push(["Feedback on earlier attempts, oldest first:", ...notes].join("\n"))
  }
  const said = latestComments(comments)
  if (said.length > 0) parts.push(["Comments on this task, oldest first:", ...said].join("\n"))
  return parts.join("\n\n")
}

const LABEL_TITLE_MAX = 36

/** A recognisable, unique label for the agent's session. */
export const sessionLabel = (title: string, sessionKey: string): string => {
  const short = Array.from(title.replace(/\s+/g, " ").trim()).slice(0, LABEL_TITLE_MAX).join("")
  const number = sessionKey.slice(sessionKey.lastIndexOf("-") + 1)
  const task = sessionKey.slice(sessionKey.lastIndexOf(":task-") + ":task-".length).slice(0, 8)
  return `${short} (${task}-${number})`
}

/** The session of a card's run; `count` distinguishes its runs. */
export const runSession = (agentId: string, taskId: string, count: number): string =>
  `agent:${agentId}:task-${taskId}-${count}`

/** The card whose run a session is for; `undefined` for any other session. */
export const taskOfSession = (sessionKey: string): string | undefined =>
  /^agent:[^:]+:task-(.+)-\d+$/.exec(sessionKey)?.[1]

/** The agent that works in a run's session. */
export const agentOfRun = (sessionKey: string): string => sessionKey.split(":")[1] ?? "main"
