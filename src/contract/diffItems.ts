import type { PatchOp } from "./schema/live.ts"

type Item = Readonly<Record<string, unknown>>

const fieldsOf = (item: object): Item => Object.fromEntries(Object.entries(item))

/** Items are JSON, made in the same order each time. */
const isSame = (one: unknown, other: unknown): boolean => one === other || JSON.stringify(one) === JSON.stringify(other)

/** The fields that grow while an agent works: only what is new of them is sent. */
const GROWING = ["text", "output"] as const

const growth = (key: string, before: Item, after: Item): ReadonlyArray<Extract<PatchOp, { op: "add" }>> =>
  GROWING.flatMap((field) => {
    const [from, to] = [before[field], after[field]]
    if (typeof from !== "string" || typeof to !== "string" || to.length <= from.length || from === "") return []
    return to.startsWith(from) ? [{ op: "add", key, field, at: from.length, text: to.slice(from.length) }] : []
  })

const changes = (key: string, before: Item, after: Item): ReadonlyArray<PatchOp> => {
  const grown = growth(key, before, after)
  const isGrown = (name: string) => grown.some(({ field }) => field === name)
  const fields = Object.fromEntries(
    Object.entries(after).filter(([name, value]) => !isGrown(name) && !isSame(before[name], value))
  )
  const unset = Object.keys(before).filter((name) => !(name in after))
  if (unset.length > 0) return [...grown, { op: "set", key, fields, unset }]
  return Object.keys(fields).length > 0 ? [...grown, { op: "set", key, fields }] : grown
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
    if (old === undefined) ops.push({ op: "put", item: fieldsOf(item) })
    else ops.push(...changes(key, fieldsOf(old), fieldsOf(item)))
  }
  return ops
}

/** The fields of a state's head that have another value than before; null for one that is gone. */
export const diffHeads = (before: object, after: object): Item => {
  const old = fieldsOf(before)
  const gone = Object.keys(old).flatMap((name) => (name in after ? [] : [[name, null] as const]))
  const changed = Object.entries(after).filter(([name, value]) => !isSame(old[name], value))
  return Object.fromEntries([...changed, ...gone])
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
      if (old !== item) ops.push(...changes(key, fieldsOf(old), fieldsOf(item)))
      return
    }
    if (old !== undefined) order.splice(order.indexOf(key), 1)
    order.splice(index, 0, key)
    ops.push({ op: "put", item: fieldsOf(item), ...(place === undefined ? {} : { before: place }) })
  })
  return ops
}
