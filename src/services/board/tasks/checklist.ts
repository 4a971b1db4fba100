import { Schema } from "effect"
import { body, filledText, flag, list, maybe, required } from "../../../contract/schema/fields.ts"

/** Most items of a checklist. */
const MAX_ITEMS = 100

const ItemId = filledText(100)
const ItemText = filledText(500)

/** One step of a task. */
export const ChecklistItem = Schema.Struct({ id: ItemId, text: ItemText, done: Schema.Boolean })
export type ChecklistItem = typeof ChecklistItem.Type

const idsDiffer = (items: ReadonlyArray<{ readonly id?: string }>): boolean => {
  const ids = items.flatMap(({ id }) => id ?? [])
  return new Set(ids).size === ids.length
}

/** A checklist as callers send it: `id` is made up where it's missing, and `done` is false. */
export const ChecklistInput = list(
  body({ id: maybe(ItemId), text: required(ItemText), done: maybe(flag) }),
  0,
  MAX_ITEMS
).check(Schema.makeFilter(idsDiffer, { message: "must have a different id for each item" }))
export type ChecklistInput = typeof ChecklistInput.Type

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
