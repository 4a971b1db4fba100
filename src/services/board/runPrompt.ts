import type { TaskContent } from "./taskRules.ts"

/** The agent's prompt: title, description and the notes from earlier reviews. */
export const runPrompt = (task: Pick<TaskContent, "title" | "description" | "feedback">): string => {
  const parts = [task.title]
  if (task.description !== undefined && task.description.trim().length > 0) parts.push(task.description)
  if (task.feedback.length > 0) {
    const notes = task.feedback.map(({ note }) => `- ${note.replace(/\r?\n/g, "\n  ")}`)
    parts.push(["Feedback on earlier attempts, oldest first:", ...notes].join("\n"))
  }
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
