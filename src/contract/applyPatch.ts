import type { PatchOp } from "./schema/live.ts"

/** A list's items and what else a channel's state has. */
export interface PatchedState<Item> {
  readonly items: ReadonlyArray<Item>
  readonly head: Readonly<Record<string, unknown>>
}

type AnyItem = Readonly<Record<string, unknown>>

interface Patch {
  readonly ops?: ReadonlyArray<PatchOp>
  readonly head?: Readonly<Record<string, unknown>>
}

const without = (fields: AnyItem, names: ReadonlyArray<string>): AnyItem =>
  names.length === 0 ? fields : Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

const grown = (item: AnyItem, { at, field, text }: Extract<PatchOp, { op: "add" }>): AnyItem | undefined => {
  const before = item[field]
  return typeof before === "string" && before.length === at ? { ...item, [field]: before + text } : undefined
}

/** Does one step in place; false if it doesn't fit the items. */
const step = (items: Array<AnyItem>, op: PatchOp, keyField: string): boolean => {
  const place = (key: unknown) => items.findIndex((item) => item[keyField] === key)
  switch (op.op) {
    case "put": {
      const known = place(op.item[keyField])
      if (known >= 0) items.splice(known, 1)
      const before = op.before === undefined ? items.length : place(op.before)
      if (before < 0) return false
      items.splice(before, 0, op.item)
      return true
    }
    case "drop": {
      const known = place(op.key)
      if (known >= 0) items.splice(known, 1)
      return true
    }
    case "set":
    case "add": {
      const index = place(op.key)
      const item = items[index]
      if (item === undefined) return false
      const next = op.op === "add" ? grown(item, op) : { ...without(item, op.unset ?? []), ...op.fields }
      if (next === undefined) return false
      items[index] = next
      return true
    }
  }
}

/**
 * The state after a patch of `/api/live`; `undefined` if the patch builds on another state, so that the channel has to be
 * opened again. `keyField` is the field that names an item.
 */
export const applyPatch = (
  state: PatchedState<AnyItem>,
  patch: Patch,
  keyField = "key"
): PatchedState<AnyItem> | undefined => {
  const items = [...state.items]
  for (const op of patch.ops ?? []) if (!step(items, op, keyField)) return undefined
  const removed = Object.entries(patch.head ?? {}).flatMap(([name, value]) => (value === null ? [name] : []))
  return { items, head: patch.head === undefined ? state.head : without({ ...state.head, ...patch.head }, removed) }
}
