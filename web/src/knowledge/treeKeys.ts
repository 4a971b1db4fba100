import { parentOf, type TreeRow } from "../core/knowledge/fileNodes.ts"

/** What a key does in the tree: moves the focus to a row, opens or closes a folder, or acts on the row. */
type TreeMove =
  | { readonly kind: "focus"; readonly index: number }
  | { readonly kind: "toggle" | "choose" | "rename" | "delete" }

type Press = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">

const PAGE = 12

/** The tree keys of the ARIA practices; null for any other key. */
export const treeKey = (press: Press, rows: ReadonlyArray<TreeRow>, index: number): TreeMove | null => {
  const row = rows[index]
  if (row === undefined || press.ctrlKey || press.metaKey || press.altKey) return null
  const focus = (to: number): TreeMove => ({
    kind: "focus",
    index: Math.min(Math.max(to, 0), rows.length - 1)
  })
  switch (press.key) {
    case "ArrowDown":
      return focus(index + 1)
    case "ArrowUp":
      return focus(index - 1)
    case "PageDown":
      return focus(index + PAGE)
    case "PageUp":
      return focus(index - PAGE)
    case "Home":
      return focus(0)
    case "End":
      return focus(rows.length - 1)
    case "ArrowRight":
      if (row.node.type === "file") return null
      return row.isOpen ? focus(index + 1) : { kind: "toggle" }
    case "ArrowLeft": {
      if (row.isOpen) return { kind: "toggle" }
      const parent = parentOf(row.node.path)
      const at = rows.findIndex(({ node }) => node.path === parent)
      return at === -1 ? null : focus(at)
    }
    case "Enter":
    case " ":
      return { kind: "choose" }
    case "F2":
      return { kind: "rename" }
    case "Delete":
      return { kind: "delete" }
    default:
      return startingWith(press, rows, index)
  }
}

/** The next row whose name starts with the letter pressed. */
const startingWith = (press: Press, rows: ReadonlyArray<TreeRow>, index: number): TreeMove | null => {
  if (press.key.length !== 1) return null
  const letter = press.key.toLowerCase()
  const order = [...rows.keys()].map((offset) => (index + 1 + offset) % rows.length)
  const found = order.find((at) => rows[at]?.node.name.toLowerCase().startsWith(letter) === true)
  return found === undefined ? null : { kind: "focus", index: found }
}
