import type { ChecklistItem } from "../../../../src/contract/answers/BoardAnswers.ts"
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

/** Both sides' changes, item by item; null if both reworded the same item. */
export const mergeChecklists = (base: Checklist, mine: Checklist, theirs: Checklist): Checklist | null => {
  const before = new Map(base.map((item) => [item.id, item]))
  const own = new Map(mine.map((item) => [item.id, item]))
  const known = new Set(theirs.map(({ id }) => id))
  const merged = theirs.flatMap((item): ReadonlyArray<ChecklistItem | null> => {
    const ours = own.get(item.id)
    if (ours !== undefined) return [oneMerged(before.get(item.id), ours, item)]
    return before.has(item.id) ? [] : [item]
  })
  const added = mine.filter(({ id }) => !known.has(id) && !before.has(id))
  const whole = merged.filter((item) => item !== null)
  return whole.length === merged.length ? [...whole, ...added].slice(0, MAX_ITEMS) : null
}
