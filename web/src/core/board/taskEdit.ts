import { parseJson, recordOf } from "../../../../src/contract/looseFields.ts"
import { mergedText, mergeTexts } from "../knowledge/mergeTexts.ts"
import { say } from "../language/say.ts"
import { PROPOSED_FIELDS } from "./boardText.ts"
import type { BoardConfig, Task, TaskChanges, TaskField, TaskValues } from "./boardTypes.ts"
import { changedFields, mergeSets, sameValue, valuesOf } from "./mergeTask.ts"
import { taskOf } from "./readBoard.ts"

/**
 * Unsaved changes to a card. `base` is the card they were made on; `theirs` holds what someone else put into the same
 * fields in the meantime, until the person decides, and `began` what both began with, where that is known.
 */
export interface TaskEdit {
  readonly base: Task
  readonly changes: TaskChanges
  readonly theirs: TaskChanges
  readonly began?: TaskChanges
}

export const newEdit = (task: Task): TaskEdit => ({ base: task, changes: {}, theirs: {} })

/** A card that doesn't exist yet, with the board's defaults. */
export const blankTask = (config: BoardConfig | null): Task =>
  taskOf({
    id: "new",
    title: "",
    status: config?.defaults.status ?? "todo",
    priority: config?.defaults.priority ?? "normal",
    createdBy: "operator",
    createdAt: 0,
    updatedAt: 0,
    version: 1,
    labels: [],
    columnOrder: 0,
    feedback: [],
    after: [],
    autoStart: false
  })

const without = (changes: TaskChanges, field: TaskField): TaskChanges =>
  Object.fromEntries(Object.entries(changes).filter(([key]) => key !== field))

/** The value a field shows: what was typed, otherwise the card's value. */
export const valueOf = <F extends TaskField>(edit: TaskEdit, field: F): TaskValues[F] => {
  const typed: TaskValues[F] | undefined = edit.changes[field]
  return typed === undefined ? edit.base[field] : typed
}

/** The edit with one field changed; returning to the card's own value is no change. */
export const edited = <F extends TaskField>(edit: TaskEdit, field: F, value: TaskValues[F]): TaskEdit =>
  sameValue(value, edit.base[field])
    ? { ...edit, changes: without(edit.changes, field), theirs: without(edit.theirs, field) }
    : { ...edit, changes: { ...edit.changes, [field]: value } }

export const isDirty = (edit: TaskEdit): boolean => changedFields(edit.changes).length > 0

/** Fields that two people changed, without a decision yet. */
export const undecided = (edit: TaskEdit): ReadonlyArray<TaskField> => changedFields(edit.theirs)

/** Puts an edit on top of a newer card: untouched fields follow, fields changed by both wait for a decision. */
export const rebased = (edit: TaskEdit, latest: Task): TaskEdit => {
  if (latest === edit.base) return edit
  const changes: Record<string, unknown> = {}
  const theirs: Record<string, unknown> = {}
  const began: Record<string, unknown> = {}
  for (const field of changedFields(edit.changes)) {
    const mine = edit.changes[field]
    const now = latest[field]
    if (sameValue(mine, now)) continue
    if (field === "labels" || field === "after") {
      changes[field] = mergeSets(edit.base[field], edit.changes[field] ?? [], latest[field])
      continue
    }
    changes[field] = mine
    const open = edit.theirs[field] !== undefined
    if (!open && sameValue(now, edit.base[field])) continue
    theirs[field] = now
    const known = open ? edit.began?.[field] : edit.base[field]
    if (known !== undefined) began[field] = known
  }
  return { base: latest, changes, theirs, ...(Object.keys(began).length > 0 ? { began } : {}) }
}

/** A text with the changes of both sides; null where they meet, or nobody knows what both began with. */
export const bothTexts = (edit: TaskEdit, field: "description" | "result"): string | null => {
  const [began, mine, theirs] = [edit.began?.[field], edit.changes[field], edit.theirs[field]]
  if (began === undefined || mine === undefined || theirs === undefined) return null
  return mergedText(mergeTexts(began ?? "", mine ?? "", theirs ?? ""), {})
}

/** Keeps the changes of both sides. */
export const keepBoth = (edit: TaskEdit, field: "description" | "result"): TaskEdit => {
  const both = bothTexts(edit, field)
  return both === null ? edit : edited(keepMine(edit, field), field, both)
}

/** Keeps what was typed. */
export const keepMine = (edit: TaskEdit, field: TaskField): TaskEdit => ({
  ...edit,
  theirs: without(edit.theirs, field)
})

/** Keeps what someone else wrote. */
export const useTheirs = (edit: TaskEdit, field: TaskField): TaskEdit => ({
  ...edit,
  changes: without(edit.changes, field),
  theirs: without(edit.theirs, field)
})

/** Why it can't be saved; null if it can. */
export const editProblem = (edit: TaskEdit): string | null => {
  const title = valueOf(edit, "title")
  if (title.trim() === "") return say("A card needs a title.")
  if ([...title].length > 500) return say("The title can't be longer than 500 characters.")
  if ([...(valueOf(edit, "description") ?? "")].length > 10_000)
    return say("The description can't be longer than 10,000 characters.")
  if ([...(valueOf(edit, "result") ?? "")].length > 50_000)
    return say("The result can't be longer than 50,000 characters.")
  return null
}

/** The key an edit is stored under until it is saved. */
export const draftKey = (id: string): string => `board:${id}`

/** A stored edit as a new card: everything the old card said, with what was typed on it. */
export const asNewCard = (draft: string, blank: Task): TaskEdit => {
  const kept = parseJson<TaskEdit>(draft)
  if (recordOf(kept?.base) === null) return newEdit(blank)
  const said: Task = { ...blank, ...kept?.base, ...kept?.changes }
  // The new card starts in a column of its own, without what the old one came to.
  const fields = PROPOSED_FIELDS.filter((field) => field !== "status" && field !== "result")
  return { base: blank, changes: valuesOf(said, fields), theirs: {} }
}

/** An edit as text, to be kept across a reload; empty if nothing changed. */
export const draftOf = (edit: TaskEdit): string => (isDirty(edit) ? JSON.stringify(edit) : "")

/** A stored edit on top of the current card; a fresh one if there is none. */
export const restored = (draft: string, task: Task): TaskEdit => {
  const kept = parseJson<TaskEdit>(draft)
  if (kept?.base?.id !== task.id) return newEdit(task)
  const { began, changes, theirs } = kept
  const open = changedFields(theirs).filter((field) => Object.hasOwn(changes, field))
  return rebased(
    {
      // A card that an earlier version kept has fewer fields.
      base: { ...blankTask(null), ...kept.base },
      changes,
      theirs: Object.fromEntries(open.map((field) => [field, theirs[field]])),
      ...(began === undefined ? {} : { began })
    },
    task
  )
}

/** Why a card cannot be saved as it is typed, and whether the way on is a choice between two texts or the title. */
interface SaveProblem {
  readonly text: string
  readonly at: "conflict" | "title"
}

export const saveProblem = (edit: TaskEdit): SaveProblem | null => {
  const at = undecided(edit).length > 0 ? "conflict" : "title"
  const text = editProblem(edit) ?? (at === "conflict" ? say("Choose which text to keep first.") : null)
  return text === null ? null : { text, at }
}
