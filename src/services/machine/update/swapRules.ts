import { Schema } from "effect"

/**
 * How a path changes from the version in place to the prepared one:
 * - `replace`: a file takes the place of a file in a single step, so the path is never missing.
 * - `exchange`: the old one moves aside and the new one moves in.
 * - `add`: only the new version has it.
 * - `remove`: only the old version has it.
 * - `keep`: only the old version has it, but a running console of that version may still load it, so it stays.
 */
export const MoveKind = Schema.Literals(["replace", "exchange", "add", "remove", "keep"])
export type MoveKind = typeof MoveKind.Type

/** A path below the checkout and how it changes. */
export const Move = Schema.Struct({ kind: MoveKind, path: Schema.String })
export type Move = typeof Move.Type

/** What's at a path, if anything. A symbolic link counts as a file. */
export type Entry = "file" | "folder" | undefined

/** What is swapped; everything else in a version comes from git. */
export const SWAPPED = ["node_modules", "dist"] as const

/**
 * What starts the console. It's replaced after everything it loads is in place, and restored before that is removed.
 */
const PROGRAM = "dist/cli.js"

/** Where a service may find the Node that runs the console: the folders above it never move as a whole. */
const OPENED = new Set<string>(["node_modules", "node_modules/node", "node_modules/node/bin", "dist"])

/** Folders with content-hashed file names, so two versions can coexist. */
const HASHED = ["dist/chunks/", "dist/web/assets/"]

/** Whether a folder's entries are swapped one by one instead of the folder as a whole. */
export const isOpened = (path: string): boolean => OPENED.has(path) || path.startsWith("dist/")

/** How a path changes; `undefined` if there's nothing to do. */
export const moveKind = (path: string, here: Entry, prepared: Entry): MoveKind | undefined => {
  if (here === undefined) return prepared === undefined ? undefined : "add"
  if (prepared === undefined) return HASHED.some((folder) => path.startsWith(folder)) ? "keep" : "remove"
  return here === "file" && prepared === "file" ? "replace" : "exchange"
}

const isBuilt = ({ path }: Move) => path.startsWith("dist/")

const rank = (move: Move): number => {
  if (move.path === PROGRAM) return 3
  if (move.kind === "remove") return 4
  if (!isBuilt(move)) return 0
  return move.kind === "add" ? 1 : 2
}

/**
 * An order in which a running or starting console always finds everything it needs: packages, additions to the build,
 * changes in it, the program itself, and removals last. A rollback uses the reverse order.
 */
export const inOrder = (moves: ReadonlyArray<Move>): ReadonlyArray<Move> =>
  [...moves].sort((one, other) => rank(one) - rank(other))
