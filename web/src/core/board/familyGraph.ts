import { isOver, type Task } from "./boardTypes.ts"

/** A card's place in the graph of its family. */
export interface GraphNode {
  readonly task: Task
  /** Counted from the cards that wait for none. */
  readonly layer: number
  /** Counted within the layer. */
  readonly row: number
}

export interface GraphEdge {
  readonly from: string
  readonly to: string
  /** The second one starts after the first, or is a part of it. */
  readonly kind: "after" | "part"
}

export interface FamilyGraph {
  /** By layer, then by row. */
  readonly nodes: ReadonlyArray<GraphNode>
  readonly edges: ReadonlyArray<GraphEdge>
  readonly layers: number
  /** Of the largest layer. */
  readonly rows: number
}

/** More cards aren't drawn. */
const MOST = 500

const linksOf = (cards: ReadonlyMap<string, Task>): ReadonlyArray<GraphEdge> =>
  [...cards.values()].flatMap((task) => {
    const { after, id, parentId } = task
    const first = after.filter((other) => cards.has(other))
    const links: Array<GraphEdge> = first.map((from) => ({ from, to: id, kind: "after" }))
    if (parentId !== null && cards.has(parentId)) links.push({ from: parentId, to: id, kind: "part" })
    return links
  })

/** The cards that are linked with one, in whatever direction and over however many others. */
export const familyOf = (all: ReadonlyArray<Task>, id: string): ReadonlyArray<Task> => {
  const cards = new Map(all.map((task) => [task.id, task]))
  const beside = new Map<string, Array<string>>()
  for (const { from, to } of linksOf(cards)) {
    for (const [one, other] of [
      [from, to],
      [to, from]
    ] as const) {
      const known = beside.get(one)
      if (known === undefined) beside.set(one, [other])
      else known.push(other)
    }
  }
  const found = new Set(cards.has(id) ? [id] : [])
  for (const one of found) {
    for (const other of beside.get(one) ?? []) if (found.size < MOST) found.add(other)
  }
  return all.filter((task) => found.has(task.id))
}

/**
 * The layer of each card: one beyond the last of those that come before it. A part comes after its whole, unless the whole
 * waits for its parts.
 */
const layersOf = (ids: ReadonlyArray<string>, edges: ReadonlyArray<GraphEdge>): ReadonlyMap<string, number> => {
  const waits = new Set(edges.flatMap(({ from, kind, to }) => (kind === "after" ? [`${from} ${to}`] : [])))
  const used = edges.filter(({ from, kind, to }) => kind === "after" || !waits.has(`${to} ${from}`))
  const open = new Map(ids.map((id) => [id, 0]))
  const next = new Map<string, Array<string>>()
  for (const { from, to } of used) {
    open.set(to, (open.get(to) ?? 0) + 1)
    next.set(from, [...(next.get(from) ?? []), to])
  }
  const layers = new Map<string, number>()
  const ready = ids.filter((id) => open.get(id) === 0)
  for (const id of ready) layers.set(id, 0)
  for (const id of ready) {
    for (const to of next.get(id) ?? []) {
      layers.set(to, Math.max(layers.get(to) ?? 0, (layers.get(id) ?? 0) + 1))
      const left = (open.get(to) ?? 0) - 1
      open.set(to, left)
      if (left === 0) ready.push(to)
    }
  }
  // Parts and waits can go round in a circle together, in which no card is the first.
  for (const id of ids) if (!layers.has(id)) layers.set(id, 0)
  return layers
}

/** The place of each card in its layer: near the cards it's linked with in the layer before. */
const ordered = (
  layer: ReadonlyArray<Task>,
  rows: ReadonlyMap<string, number>,
  edges: ReadonlyArray<GraphEdge>
): ReadonlyArray<Task> => {
  const middle = new Map<string, number>()
  for (const { id } of layer) {
    const before = edges.flatMap(({ from, to }) => (to === id ? (rows.get(from) ?? []) : []))
    middle.set(id, before.length === 0 ? Number.POSITIVE_INFINITY : before.reduce((a, b) => a + b, 0) / before.length)
  }
  return layer.toSorted(
    (a, b) =>
      (middle.get(a.id) ?? 0) - (middle.get(b.id) ?? 0) ||
      Number(isOver(a)) - Number(isOver(b)) ||
      a.createdAt - b.createdAt
  )
}

/** A family of cards in layers, so that what comes first is before what comes after it. */
export const familyGraph = (family: ReadonlyArray<Task>): FamilyGraph => {
  const edges = linksOf(new Map(family.map((task) => [task.id, task])))
  const byId = family.map(({ id }) => id)
  const layerOf = layersOf(byId, edges)
  const count = Math.max(0, ...layerOf.values()) + 1
  const rows = new Map<string, number>()
  const nodes: Array<GraphNode> = []
  let most = 0
  for (let layer = 0; layer < count; layer++) {
    const members = ordered(
      family.filter(({ id }) => layerOf.get(id) === layer),
      rows,
      edges
    )
    most = Math.max(most, members.length)
    members.forEach((task, row) => {
      rows.set(task.id, row)
      nodes.push({ task, layer, row })
    })
  }
  return { nodes, edges, layers: count, rows: most }
}

/** The card beside one in a direction: in the same layer, or the nearest of the layer before or after. */
export const nodeBeside = (
  { nodes }: FamilyGraph,
  id: string,
  step: { readonly layer: number; readonly row: number }
): GraphNode | null => {
  const now = nodes.find(({ task }) => task.id === id)
  if (now === undefined) return null
  const there = nodes.filter(({ layer }) => layer === now.layer + step.layer)
  const row = now.row + step.row
  if (step.layer === 0) return there.find((node) => node.row === row) ?? null
  return there.toSorted((a, b) => Math.abs(a.row - row) - Math.abs(b.row - row))[0] ?? null
}
