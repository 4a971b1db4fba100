import { DEFAULT_TITLES, type TaskStatus } from "../../../../src/contract/board.ts"
import { say } from "../language/say.ts"
import type { BoardColumn, BoardConfig } from "./boardTypes.ts"

/** The titles of a new board's columns in the page's language. */
const TRANSLATED: Readonly<Record<TaskStatus, string>> = {
  backlog: say("Backlog"),
  todo: say("To Do"),
  "in-progress": say("In Progress"),
  review: say("Review"),
  done: say("Done"),
  cancelled: say("Cancelled")
}

type Titled = Pick<BoardColumn, "key" | "title">

/** A column's title as people see it: in the page's language until somebody changes it, then as it was typed. */
export const shownTitle = ({ key, title }: Titled): string => (title === DEFAULT_TITLES[key] ? TRANSLATED[key] : title)

/** The title to save for one that was shown or typed, so that an unchanged one stays in everybody's own language. */
export const storedTitle = ({ key, title }: Titled): string => (title === TRANSLATED[key] ? DEFAULT_TITLES[key] : title)

/** A column's name on this board. */
export const columnTitle = (config: BoardConfig | null, status: TaskStatus): string => {
  const column = config?.columns.find(({ key }) => key === status)
  return column === undefined ? TRANSLATED[status] : shownTitle(column)
}
