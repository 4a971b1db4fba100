import type { ChecklistItem } from "../../../../src/contract/schema/task.ts"
import { sayCount } from "../language/say.ts"

export type Checklist = ReadonlyArray<ChecklistItem>

/** What the server accepts. */
export const MAX_ITEMS = 100
export const MAX_ITEM_TEXT = 500

const NONE: Checklist = []

/** A card's items; none is an empty list. */
export const itemsOf = (checklist: Checklist | null): Checklist => checklist ?? NONE

/** How many items are done, such as "2/5". */
export const progressText = (items: Checklist): string => `${items.filter(({ done }) => done).length}/${items.length}`

/** The same in words. */
export const progressWords = (items: Checklist): string =>
  sayCount(items.length, "{done} of {count} item done", "{done} of {count} items done", {
    done: items.filter(({ done }) => done).length
  })

/** The list with another text or tick for one item; an empty text removes it. */
export const withItem = (items: Checklist, id: string, change: Partial<ChecklistItem>): Checklist =>
  items.flatMap((item) => {
    if (item.id !== id) return [item]
    const next = { ...item, ...change, text: (change.text ?? item.text).trim().slice(0, MAX_ITEM_TEXT) }
    return next.text === "" ? [] : [next]
  })

/** The list with what was typed or pasted at its end: one item for each line. */
export const withNew = (items: Checklist, text: string, newId: () => string): Checklist => {
  const lines = text
    .split(/\r?\n/)
    .map((line) =>
      line
        .replace(/^\s*[-*] (\[[ x]\] )?/, "")
        .trim()
        .slice(0, MAX_ITEM_TEXT)
    )
    .filter((line) => line !== "")
  return [...items, ...lines.map((line) => ({ id: newId(), text: line, done: false }))].slice(0, MAX_ITEMS)
}

/** The list with one item moved up or down. */
export const withMoved = (items: Checklist, id: string, by: -1 | 1): Checklist => {
  const from = items.findIndex((item) => item.id === id)
  const item = items[from]
  const to = from + by
  if (item === undefined || to < 0 || to >= items.length) return items
  return items.toSpliced(from, 1).toSpliced(to, 0, item)
}

const oneMerged = (
  base: ChecklistItem | undefined,
  mine: ChecklistItem,
  theirs: ChecklistItem
): ChecklistItem | null => {
  const text = mine.text === (base?.text ?? mine.text) ? theirs.text : mine.text
  const isConflict = text !== theirs.text && theirs.text !== base?.text
  if (isConflict) return null
  return { id: mine.id, text, done: mine.done === base?.done ? theirs.done : mine.done }
}

const idsOf = (items: Checklist): ReadonlyArray<string> => items.map(({ id }) => id)

/** The ids of both, in the order of the first; what only the second has stands behind what it follows there, or last. */
const woven = (first: ReadonlyArray<string>, second: ReadonlyArray<string>): ReadonlyArray<string> => {
  const lastKnown = second.findLastIndex((id) => first.includes(id))
  const ids = [...first]
  second.forEach((id, at) => {
    if (ids.includes(id)) return
    const place = at > lastKnown ? ids.length : at === 0 ? 0 : ids.indexOf(second[at - 1] ?? "") + 1
    ids.splice(place, 0, id)
  })
  return ids
}

/** Whether items stand in another order than before. */
const isMoved = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): boolean => {
  const kept = before.filter((id) => after.includes(id))
  return after.filter((id) => before.includes(id)).some((id, at) => id !== kept[at])
}

/** Both sides' changes, item by item, in the order of whoever moved some; null if both reworded the same item. */
export const mergeChecklists = (base: Checklist, mine: Checklist, theirs: Checklist): Checklist | null => {
  const [before, own, other] = [base, mine, theirs].map((items) => new Map(items.map((item) => [item.id, item])))
  const ids = isMoved(idsOf(base), idsOf(mine)) ? woven(idsOf(mine), idsOf(theirs)) : woven(idsOf(theirs), idsOf(mine))
  const merged = ids.flatMap((id): ReadonlyArray<ChecklistItem | null> => {
    const [was, ours, its] = [before?.get(id), own?.get(id), other?.get(id)]
    if (ours !== undefined && its !== undefined) return [oneMerged(was, ours, its)]
    // What is only on one side was added there, or removed by the other.
    const only = was === undefined ? (ours ?? its) : undefined
    return only === undefined ? [] : [only]
  })
  const whole = merged.filter((item) => item !== null)
  return whole.length === merged.length ? whole.slice(0, MAX_ITEMS) : null
}
