import type { TaskComment } from "../../../contract/schema/comment.ts"
import type { Task } from "../../../contract/schema/task.ts"
import type { SearchEntry, SearchPlace } from "../searchTypes.ts"

/** Changes with the form of a card's text, so that all are read again. */
const FORM = "labels with #"

/** Where all cards are. */
export const cardPlace = (gatewayId: string): SearchPlace => ({ kind: "task", gatewayId, name: "", agent: "" })

/** A card with everything that's written on it. */
export const cardEntry = (gatewayId: string, task: Task, comments: ReadonlyArray<TaskComment>): SearchEntry => ({
  place: cardPlace(gatewayId),
  key: task.id,
  at: task.updatedAt,
  role: undefined,
  text: [
    task.title,
    task.description ?? "",
    task.labels.map((label) => `#${label}`).join(" "),
    task.result ?? "",
    task.run?.error ?? "",
    ...(task.checklist ?? []).map(({ text }) => text),
    ...task.feedback.map(({ note }) => note),
    ...comments.map(({ text }) => text)
  ]
    .filter((text) => text !== "")
    .join("\n"),
  stamp: `${FORM} ${task.version} ${task.updatedAt}`
})
