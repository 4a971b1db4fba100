import { isTaskField } from "./boardText.ts"
import type { Task, TaskChanges, TaskField, TaskValues } from "./boardTypes.ts"
import { mergeChecklists } from "./checklist.ts"

/** A field that two people changed to different values. */
export interface FieldConflict<F extends TaskField = TaskField> {
  readonly field: F
  readonly base: TaskValues[F]
  readonly mine: TaskValues[F]
  readonly theirs: TaskValues[F]
}

export interface Merged {
  /** Changes that can be sent against the latest version. */
  readonly changes: TaskChanges
  readonly conflicts: ReadonlyArray<FieldConflict>
}

const sameEntry = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

const sameList = (a: ReadonlyArray<unknown>, b: ReadonlyArray<unknown>): boolean =>
  a.length === b.length && a.every((entry, index) => sameEntry(entry, b[index]))

const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

/** Whether two values of a field are the same. */
export const sameValue = (a: unknown, b: unknown): boolean =>
  isList(a) && isList(b) ? sameList(a, b) : sameEntry(a, b)

/** Both sides' additions and removals; they can never conflict. */
export const mergeSets = (
  base: ReadonlyArray<string>,
  mine: ReadonlyArray<string>,
  theirs: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const kept = theirs.filter((label) => mine.includes(label) || !base.includes(label))
  const added = mine.filter((label) => !base.includes(label) && !theirs.includes(label))
  return [...kept, ...added]
}

/** The fields in a set of changes. */
export const changedFields = (changes: TaskChanges): ReadonlyArray<TaskField> =>
  Object.keys(changes)
    .filter(isTaskField)
    .filter((field) => changes[field] !== undefined)

/** The values a card has in some fields. */
export const valuesOf = (task: TaskValues, fields: ReadonlyArray<TaskField>): TaskChanges =>
  Object.fromEntries(fields.map((field) => [field, task[field]]))

/**
 * Merges changes made to an older version of a card into the latest, field by field: what only one side changed wins,
 * labels and links are merged as sets and checklists item by item, and where both sides differ it is a conflict for a person to decide.
 */
export const mergeTask = (base: TaskValues, changes: TaskChanges, latest: TaskValues): Merged => {
  const clean: Record<string, unknown> = {}
  const conflicts: Array<FieldConflict> = []
  for (const field of changedFields(changes)) {
    const mine = changes[field]
    if (mine === undefined || sameValue(mine, latest[field])) continue
    const items =
      field === "checklist"
        ? mergeChecklists(base.checklist ?? [], changes.checklist ?? [], latest.checklist ?? [])
        : null
    if (items !== null) clean.checklist = items.length === 0 ? null : items
    else if (field === "labels" || field === "after")
      clean[field] = mergeSets(base[field], changes[field] ?? [], latest[field])
    else if (sameValue(latest[field], base[field])) clean[field] = mine
    else conflicts.push({ field, base: base[field], mine, theirs: latest[field] })
  }
  return { changes: clean, conflicts }
}

/** A card with changes applied. */
export const withChanges = (task: Task, changes: TaskChanges): Task => ({ ...task, ...changes })
