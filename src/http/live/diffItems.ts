import type { PatchOp } from "../../contract/schema/live.ts"

type Item = Readonly<Record<string, unknown>>

const fieldsOf = (item: object): Item => Object.fromEntries(Object.entries(item))

/** Items are JSON, made in the same order each time. */
const isSame = (one: unknown, other: unknown): boolean => one === other || JSON.stringify(one) === JSON.stringify(other)

const changes = (key: string, before: Item, after: Item): PatchOp | undefined => {
  const fields = Object.fromEntries(Object.entries(after).filter(([name, value]) => !isSame(before[name], value)))
  const unset = Object.keys(before).filter((name) => !(name in after))
  if (unset.length > 0) return { op: "set", key, fields, unset }
  return Object.keys(fields).length > 0 ? { op: "set", key, fields } : undefined
}

/**
 * The steps that make one set of items of another one, whose order is the client's. An item that is the same object is
 * the same.
 */
export const diffSets = <A extends object>(
  before: ReadonlyMap<string, A>,
  after: ReadonlyMap<string, A>
): ReadonlyArray<PatchOp> => {
  const ops: Array<PatchOp> = [...before.keys()].filter((key) => !after.has(key)).map((key) => ({ op: "drop", key }))
  for (const [key, item] of after) {
    const old = before.get(key)
    if (old === item) continue
    const op: PatchOp | undefined =
      old === undefined ? { op: "put", item: fieldsOf(item) } : changes(key, fieldsOf(old), fieldsOf(item))
    if (op !== undefined) ops.push(op)
  }
  return ops
}

/** The fields of a state's head that have another value than before. */
export const diffHeads = (before: object, after: object): Item => {
  const old = fieldsOf(before)
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => !isSame(old[name], value)))
}

/** The steps that make one list of items of another one: what is gone, what has changed, and what is new or has moved. */
export const diffItems = <A extends object>(
  before: ReadonlyArray<A>,
  after: ReadonlyArray<A>,
  keyOf: (item: A) => string
): ReadonlyArray<PatchOp> => {
  const kept = new Set(after.map(keyOf))
  const known = new Map(before.map((item) => [keyOf(item), item]))
  const ops: Array<PatchOp> = [...known.keys()].filter((key) => !kept.has(key)).map((key) => ({ op: "drop", key }))
  const order = [...known.keys()].filter((key) => kept.has(key))
  after.forEach((item, index) => {
    const key = keyOf(item)
    const old = known.get(key)
    const place = order[index]
    if (old !== undefined && place === key) {
      const op = changes(key, fieldsOf(old), fieldsOf(item))
      if (op !== undefined) ops.push(op)
      return
    }
    if (old !== undefined) order.splice(order.indexOf(key), 1)
    order.splice(index, 0, key)
    ops.push({ op: "put", item: fieldsOf(item), ...(place === undefined ? {} : { before: place }) })
  })
  return ops
}
