import { isUtf8 } from "node:buffer"
import type { Dir, Dirent } from "node:fs"
import { opendir, readdir, stat } from "node:fs/promises"
import { Effect, Result } from "effect"
import { MAX_TREE_NODES } from "../../../contract/limits.ts"
import type { FileNode } from "../../../contract/schema/files.ts"
import { attempt, fileErrorOf } from "../../platform/storage/fileErrors.ts"
import type { GuardedRoot } from "./GuardedRoot.ts"
import { parseName } from "./relativePath.ts"

/** The replacement for bytes that aren't valid text. */
const NO_TEXT = "\ufffd"
const LONGEST_CHARACTER = 4

/** The reason why an entry with this name can't be read or changed; `undefined` for other names. */
const unusableBecause = (name: string): string | undefined => {
  if (Result.isSuccess(parseName(name))) return undefined
  return name.includes("\\")
    ? "its name has a backslash, which other systems take for a folder: rename it on its machine"
    : "its name has escaped signs, such as %00 or %2F, that could lead elsewhere: rename it on its machine"
}

const NOT_TEXT = "its name has bytes that are no text: rename it on its machine"

/** A name with invalid bytes as `\xff`, so that two such names are distinguishable. */
const written = (name: Buffer): string => {
  let text = ""
  for (let at = 0; at < name.length; ) {
    const lengths = Array.from({ length: LONGEST_CHARACTER }, (_, index) => index + 1)
    const length = lengths.find((count) => at + count <= name.length && isUtf8(name.subarray(at, at + count))) ?? 0
    text += length === 0 ? `\\x${name.toString("hex", at, at + 1)}` : name.toString("utf8", at, at + length)
    at += Math.max(1, length)
  }
  return text
}

/** An entry whose name isn't valid text. */
interface NamelessEntry {
  readonly name: string
  readonly entry: Pick<Dirent<Buffer>, "isDirectory" | "isFile" | "isSymbolicLink">
}

/** Whether bytes of the name may have been replaced. */
const mayBeNoText = (name: string): boolean => name.includes(NO_TEXT)

/** Separates the entries of a folder whose names aren't valid text from the others, which the system doesn't. */
const namelessEntries = (at: string) =>
  Effect.map(
    attempt(() => readdir(at, { encoding: "buffer", withFileTypes: true })),
    (entries) => ({
      nameless: entries.flatMap(
        (entry): ReadonlyArray<NamelessEntry> => (isUtf8(entry.name) ? [] : [{ name: written(entry.name), entry }])
      ),
      named: new Set(entries.flatMap(({ name }) => (isUtf8(name) ? [name.toString("utf8")] : [])))
    })
  )

/** Folders with dependencies, version control and build output: neither shown in the tree nor watched. */
export const EXCLUDED_FOLDERS: ReadonlySet<string> = new Set([
  "node_modules",
  ".git",
  ".hg",
  ".svn",
  ".trash",
  "dist",
  "build",
  "target",
  ".venv",
  "__pycache__",
  ".cache"
])

/** Entries read at a time, few enough to block the event loop only for milliseconds. */
const BATCH = 1024

/** A folder's entries in the system's order, and whether there are more than requested. */
interface FolderListing {
  readonly entries: ReadonlyArray<Dirent>
  readonly isCut: boolean
}

const readUpTo = (folder: Dir, limit: number) =>
  Effect.callback<FolderListing, ReturnType<typeof fileErrorOf>>((resume) => {
    const entries: Array<Dirent> = []
    const next = () =>
      folder.read((error, entry) => {
        if (error !== null) resume(Effect.fail(fileErrorOf(error)))
        else if (entry === null) resume(Effect.succeed({ entries, isCut: false }))
        else if (entries.length >= limit) resume(Effect.succeed({ entries, isCut: true }))
        else {
          entries.push(entry)
          next()
        }
      })
    next()
  })

/** Reads at most `limit` entries of a folder without blocking the event loop, however many there are. */
export const listFolder = (at: string, limit: number) =>
  Effect.acquireUseRelease(
    attempt(() => opendir(at, { bufferSize: BATCH })),
    (folder) => Effect.uninterruptible(readUpTo(folder, limit)),
    (folder) => Effect.ignore(attempt(() => folder.close()))
  )

export interface FileTree {
  readonly nodes: ReadonlyArray<FileNode>
  /** Whether entries were omitted because there are too many. */
  readonly isCut: boolean
}

export interface FileTreeOptions {
  /** Levels to read: 1 is the folder's own entries. */
  readonly depth: number
  /** Omits dependencies, version control and build output. */
  readonly excluding: boolean
}

/** Folders read at a time. */
const CONCURRENCY = 8
/** The console's incomplete files, as named by `writeFileAtomic`. */
const TEMPORARY = /^\..+\.[0-9a-f]{12}\.tmp$/

interface OpenNode {
  readonly name: string
  readonly path: string
  readonly type: FileNode["type"]
  /** Links aren't followed, so cycles end. */
  readonly isLink: boolean
  children?: ReadonlyArray<OpenNode>
  truncated?: true
  /** The reason why it can't be opened. */
  readonly unusable?: string
}

type Sorted = Pick<OpenNode, "name" | "type">

const byName = (left: { readonly key: string; readonly node: Sorted }, right: typeof left): number => {
  if (left.node.type !== right.node.type) return left.node.type === "directory" ? -1 : 1
  if (left.key !== right.key) return left.key < right.key ? -1 : 1
  return left.node.name < right.node.name ? -1 : 1
}

/** Folders first, then by name regardless of letter case. */
export const sortNodes = <N extends Sorted>(nodes: ReadonlyArray<N>): ReadonlyArray<N> =>
  nodes
    .map((node) => ({ key: node.name.toLowerCase(), node }))
    .sort(byName)
    .map(({ node }) => node)

const kindOf = (entry: Pick<Dirent, "isDirectory" | "isFile">): FileNode["type"] | undefined => {
  if (entry.isDirectory()) return "directory"
  return entry.isFile() ? "file" : undefined
}

const closed = (node: OpenNode): FileNode => ({
  name: node.name,
  path: node.path,
  type: node.type,
  ...(node.children === undefined ? {} : { children: node.children.map(closed) }),
  ...(node.truncated === undefined ? {} : { truncated: node.truncated }),
  ...(node.unusable === undefined ? {} : { unusable: node.unusable })
})

/**
 * Reads the tree below a folder, level by level, so that the nearest entries come first if there are too many. Links
 * inside the root are shown as their target; other types, and links to the outside, are omitted. An entry with an
 * unusable name is listed with the reason.
 */
export const readFileTree = Effect.fn("readFileTree")(function* (
  root: GuardedRoot,
  start: ReadonlyArray<string>,
  { depth, excluding }: FileTreeOptions
) {
  let left = MAX_TREE_NODES
  let isCut = false

  const typeOfLink = (segments: ReadonlyArray<string>) =>
    root.resolve(segments).pipe(
      Effect.flatMap(({ real }) => attempt(() => stat(real))),
      Effect.map(kindOf),
      Effect.orElseSucceed(() => undefined)
    )

  const isShown = (entry: Dirent): boolean => {
    if (TEMPORARY.test(entry.name)) return false
    return !(excluding && EXCLUDED_FOLDERS.has(entry.name) && !entry.isFile())
  }

  const list = Effect.fnUntraced(function* (parent: ReadonlyArray<string>) {
    const folder = yield* root.folder(parent)
    const { entries, isCut: isLong } = yield* listFolder(folder.at, left)
    const prefix = parent.map((name) => `${name}/`).join("")
    const nodes: Array<OpenNode> = []
    const raw = entries.some(({ name }) => mayBeNoText(name))
      ? yield* Effect.orElseSucceed(namelessEntries(folder.at), () => undefined)
      : undefined
    for (const { name, entry } of raw?.nameless ?? []) {
      const type = kindOf(entry)
      if (type !== undefined) nodes.push({ name, path: prefix + name, type, isLink: false, unusable: NOT_TEXT })
    }
    const isText = (name: string) => raw === undefined || raw.named.has(name)
    for (const entry of entries) {
      if (!isShown(entry) || !isText(entry.name)) continue
      const { name } = entry
      const unusable = unusableBecause(name)
      if (unusable !== undefined) {
        const type = kindOf(entry)
        if (type !== undefined) nodes.push({ name, path: prefix + name, type, isLink: false, unusable })
        continue
      }
      const isLink = entry.isSymbolicLink()
      const type = isLink ? yield* typeOfLink([...parent, name]) : kindOf(entry)
      if (type !== undefined) nodes.push({ name, path: prefix + name, type, isLink })
    }
    const room = Math.max(0, left)
    const shown = nodes.length > room ? nodes.slice(0, room) : nodes
    left -= shown.length
    return { children: sortNodes(shown), isLong: isLong || shown.length < nodes.length }
  }, Effect.scoped)

  const top = yield* list(start)
  isCut = top.isLong
  let level = top.children
  for (let reached = 1; reached < depth && level.length > 0; reached += 1) {
    const folders = level.filter((node) => node.type === "directory" && !node.isLink && node.unusable === undefined)
    yield* Effect.forEach(
      folders,
      (node) => {
        if (left <= 0) {
          isCut = true
          return Effect.void
        }
        return list(node.path.split("/")).pipe(
          Effect.tap(({ children, isLong }) =>
            Effect.sync(() => {
              node.children = children
              if (!isLong) return
              node.truncated = true
              isCut = true
            })
          ),
          // A folder that vanished or can't be read has no children.
          Effect.ignore
        )
      },
      { concurrency: CONCURRENCY, discard: true }
    )
    level = folders.flatMap((node) => node.children ?? [])
  }
  return { nodes: top.children.map(closed), isCut } satisfies FileTree
})
