import { say } from "../language/say.ts"
import type { Outcome, Saved } from "./BoardActions.ts"
import { editProblem, type TaskEdit, undecided } from "./taskEdit.ts"

/** Why a card cannot be saved as it is typed, and whether the way on is a choice between two texts or the title. */
export interface SaveProblem {
  readonly text: string
  readonly at: "conflict" | "title"
}

export const saveProblem = (edit: TaskEdit): SaveProblem | null => {
  const at = undecided(edit).length > 0 ? "conflict" : "title"
  const text = editProblem(edit) ?? (at === "conflict" ? say("Choose which text to keep first.") : null)
  return text === null ? null : { text, at }
}

/** What is left to say after a card was sent; null when all of it is saved. */
export const unsavedText = (done: Outcome<Saved>): string | null => {
  if (!done.ok) return done.message
  return done.value.conflicts.length > 0
    ? say("Someone else changed the same field. Choose which version to keep.")
    : null
}
