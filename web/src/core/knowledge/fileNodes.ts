import type { FileNode } from "../../../../src/contract/schema/files.ts"

/** The folder a path is in; empty for the root. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")))

/** The last part of a path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

/** A name in a folder. */
export const joinPath = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`)

/** Whether a path is a folder or inside it. */
export const isInside = (folder: string, path: string): boolean =>
  folder === "" || path === folder || path.startsWith(`${folder}/`)

/** The new path after a parent folder or the file itself was renamed or moved. */
export const movedPath = (path: string, from: string, to: string): string =>
  path === from ? to : path.startsWith(`${from}/`) ? to + path.slice(from.length) : path

/** All folders on the way to a path, outermost first. */
export const foldersTo = (path: string): ReadonlyArray<string> => {
  const names = path.split("/").slice(0, -1)
  return names.map((_, index) => names.slice(0, index + 1).join("/"))
}

/** The node at a path. */
export const findNode = (nodes: ReadonlyArray<FileNode>, path: string): FileNode | undefined => {
  const next = nodes.find((node) => isInside(node.path, path))
  return next === undefined || next.path === path ? next : findNode(next.children ?? [], path)
}

/** The tree with one folder's content replaced. */
export const withChildren = (
  nodes: ReadonlyArray<FileNode>,
  folder: string,
  children: ReadonlyArray<FileNode>
): ReadonlyArray<FileNode> => {
  if (folder === "") return children
  return nodes.map((node) => {
    if (node.type !== "directory" || !isInside(node.path, folder)) return node
    return { ...node, children: node.path === folder ? children : withChildren(node.children ?? [], folder, children) }
  })
}

/** All folders of the tree. */
export const allFolders = (nodes: ReadonlyArray<FileNode>): ReadonlyArray<string> =>
  nodes.flatMap((node) => (node.type === "directory" ? [node.path, ...allFolders(node.children ?? [])] : []))

/** One line of the tree on screen. */
export interface TreeRow {
  readonly node: FileNode
  /** Levels below the root. */
  readonly depth: number
  /** Of folders. */
  readonly isOpen: boolean
  /** Among the entries of its folder, starting at 1. */
  readonly position: number
  readonly size: number
}

/** The visible lines: all entries of open folders. */
export const treeRows = (
  nodes: ReadonlyArray<FileNode>,
  open: ReadonlySet<string>,
  depth = 0
): ReadonlyArray<TreeRow> =>
  nodes.flatMap((node, index) => {
    const isOpen = node.type === "directory" && open.has(node.path)
    const row: TreeRow = { node, depth, isOpen, position: index + 1, size: nodes.length }
    return isOpen ? [row, ...treeRows(node.children ?? [], open, depth + 1)] : [row]
  })

const MAX_FOUND = 500

/** Files and folders whose path contains every word of a query, ignoring case. */
export const findNodes = (nodes: ReadonlyArray<FileNode>, query: string): ReadonlyArray<TreeRow> => {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
  const found: Array<FileNode> = []
  const visit = (level: ReadonlyArray<FileNode>): void => {
    for (const node of level) {
      if (found.length >= MAX_FOUND) return
      const path = node.path.toLowerCase()
      if (words.every((word) => path.includes(word))) found.push(node)
      visit(node.children ?? [])
    }
  }
  visit(nodes)
  return found.map((node, index) => ({ node, depth: 0, isOpen: false, position: index + 1, size: found.length }))
}
