import type { ChecklistInput, ChecklistItem } from "../../../contract/schema/task.ts"

/** The checklist with an id for every item: the lowest number that is free. An empty one is none. */
export const checklistOf = (items: ChecklistInput): ReadonlyArray<ChecklistItem> | null => {
  const taken = new Set(items.flatMap(({ id }) => id ?? []))
  let number = 0
  const nextId = () => {
    do number += 1
    while (taken.has(String(number)))
    return String(number)
  }
  return items.length === 0
    ? null
    : items.map(({ id, text, done }) => ({ id: id ?? nextId(), text, done: done ?? false }))
}

/** The items as Markdown, for agents to read. */
export const checklistMarkdown = (items: ReadonlyArray<ChecklistItem> | undefined): string =>
  (items ?? []).map(({ text, done }) => `- [${done ? "x" : " "}] ${text}`).join("\n")
