/** What one node of a random tree is drawn as. */
export interface TreeNode {
  /** Unique among its siblings and kept while it moves. */
  readonly key: string
  readonly kind: "element" | "component" | "slotted" | "fragment" | "nothing"
  /** Drawn in an element of its own, before the children. */
  readonly text: string
  readonly children: ReadonlyArray<TreeNode>
}

/** Random numbers that come again for the same seed (mulberry32). */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const KINDS: ReadonlyArray<TreeNode["kind"]> = ["element", "element", "component", "slotted", "fragment", "nothing"]
const MAX_CHILDREN = 5
const MAX_DEPTH = 4

/** Makes random trees and changes them the way screens change: insert, remove, move, reverse, shuffle, another text. */
export const makeTrees = (random: () => number) => {
  let made = 0
  const below = (limit: number) => Math.floor(random() * limit)
  const pick = <A>(list: ReadonlyArray<A>, otherwise: A): A => list[below(list.length)] ?? otherwise

  const node = (depth: number): TreeNode => ({
    key: `n${made++}`,
    kind: pick(KINDS, "element"),
    text: `t${below(100)}`,
    children: depth >= MAX_DEPTH ? [] : Array.from({ length: below(MAX_CHILDREN) }, () => node(depth + 1))
  })

  const shuffled = <A>(list: ReadonlyArray<A>): ReadonlyArray<A> =>
    list
      .map((value) => ({ value, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ value }) => value)

  const changed = (tree: TreeNode, depth: number): TreeNode => {
    const { children } = tree
    if (children.length > 0 && random() < 0.6) {
      const at = below(children.length)
      return { ...tree, children: children.map((child, index) => (index === at ? changed(child, depth + 1) : child)) }
    }
    const at = below(children.length + 1)
    const change = below(7)
    if (change === 0 && depth < MAX_DEPTH) return { ...tree, children: children.toSpliced(at, 0, node(depth + 1)) }
    if (change === 1) return { ...tree, children: children.toSpliced(at, 1) }
    if (change === 2) return { ...tree, children: children.toReversed() }
    if (change === 3) return { ...tree, children: shuffled(children) }
    if (change === 4) return { ...tree, kind: depth === 0 ? tree.kind : pick(KINDS, "element") }
    if (change === 5) return { ...tree, children: [...children.slice(at), ...children.slice(0, at)] }
    return { ...tree, text: random() < 0.2 ? "" : `t${below(100)}` }
  }

  return { first: (): TreeNode => ({ ...node(0), kind: "element" }), next: (tree: TreeNode) => changed(tree, 0) }
}

/** What a tree must look like, worked out without any framework. */
export const treeHtml = (tree: TreeNode): string => {
  const inner = `${tree.text === "" ? "" : `<b>${tree.text}</b>`}${tree.children.map(treeHtml).join("")}`
  switch (tree.kind) {
    case "nothing":
      return ""
    case "fragment":
      return inner
    case "component":
      return `<section>${inner}</section>`
    case "slotted":
      return `<article><i>${tree.text}</i>${inner}</article>`
    case "element":
      return `<div>${inner}</div>`
  }
}
