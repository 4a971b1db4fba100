import { copyFileSync, linkSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs"
import { posix } from "node:path"
import { Result, Schema } from "effect"

/**
 * How a path changes from the version in place to the prepared one:
 * - `replace`: a file takes the place of a file in a single step, so the path is never missing.
 * - `exchange`: the old one moves aside and the new one moves in.
 * - `add`: only the new version has it.
 * - `remove`: only the old version has it.
 * - `keep`: only the old version has it, but a running console of that version may still load it, so it stays.
 */
const MoveKind = Schema.Literals(["replace", "exchange", "add", "remove", "keep"])
type MoveKind = typeof MoveKind.Type

/** A path below the checkout and how it changes. */
export const Move = Schema.Struct({ kind: MoveKind, path: Schema.String })
export type Move = typeof Move.Type

/** What's at a path, if anything. A symbolic link counts as a file. */
type Entry = "file" | "folder" | undefined

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
const isOpened = (path: string): boolean => OPENED.has(path) || path.startsWith("dist/")

/** How a path changes; `undefined` if there's nothing to do. */
const moveKind = (path: string, here: Entry, prepared: Entry): MoveKind | undefined => {
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
const inOrder = (moves: ReadonlyArray<Move>): ReadonlyArray<Move> =>
  [...moves].sort((one, other) => rank(one) - rank(other))

/** The three places a swap moves between; absolute. */
export interface SwapPlaces {
  /** The checkout. */
  readonly live: string
  /** Where the new parts come from. */
  readonly incoming: string
  /** Where the old parts go. */
  readonly outgoing: string
}

const entryAt = (path: string): Entry => {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat === undefined ? undefined : stat.isDirectory() ? "folder" : "file"
}

const isThere = (path: string): boolean => entryAt(path) !== undefined

const namesIn = (path: string): ReadonlyArray<string> => (entryAt(path) === "folder" ? readdirSync(path) : [])

/** What has to move to put the incoming version in place; `ignored` paths are left alone. */
export const planMoves = (
  { live, incoming }: Pick<SwapPlaces, "live" | "incoming">,
  ignored: ReadonlySet<string>
): ReadonlyArray<Move> => {
  const moves: Array<Move> = []
  const walk = (path: string): void => {
    const [currentPath, newPath] = [posix.join(live, path), posix.join(incoming, path)]
    const [current, next] = [entryAt(currentPath), entryAt(newPath)]
    if (isOpened(path) && current !== "file" && next !== "file") {
      for (const name of new Set([...namesIn(currentPath), ...namesIn(newPath)])) walk(`${path}/${name}`)
      return
    }
    const kind = moveKind(path, current, next)
    if (kind !== undefined && (next !== undefined || !ignored.has(path))) moves.push({ kind, path })
  }
  for (const root of SWAPPED) walk(root)
  return inOrder(moves)
}

const at = ({ live, incoming, outgoing }: SwapPlaces, path: string) => ({
  live: posix.join(live, path),
  incoming: posix.join(incoming, path),
  outgoing: posix.join(outgoing, path)
})

const makeParent = (path: string): void => {
  mkdirSync(posix.dirname(path), { recursive: true })
}

/** A hard link to a file, or a copy if the file system has no hard links. */
const linkOrCopy = (from: string, to: string): void => {
  makeParent(to)
  if (Result.isFailure(Result.try(() => linkSync(from, to)))) copyFileSync(from, to)
}

/**
 * What can be done while the old version stays complete: files that will be replaced, or kept for a console that's
 * still running, get a second name in the outgoing folder.
 */
export const prepareMoves = (places: SwapPlaces, moves: ReadonlyArray<Move>): void => {
  for (const { kind, path } of moves) {
    const { live, outgoing } = at(places, path)
    if (kind === "replace" || kind === "keep") linkOrCopy(live, outgoing)
  }
}

const forth: Readonly<Record<Move["kind"], (paths: SwapPlaces) => void>> = {
  keep: () => undefined,
  replace: ({ live, incoming }) => renameSync(incoming, live),
  exchange: ({ live, incoming, outgoing }) => {
    makeParent(outgoing)
    renameSync(live, outgoing)
    renameSync(incoming, live)
  },
  add: ({ live, incoming }) => {
    makeParent(live)
    renameSync(incoming, live)
  },
  remove: ({ live, outgoing }) => {
    makeParent(outgoing)
    renameSync(live, outgoing)
  }
}

/** Moves what came in back to where it came from; leaves what's already there. */
const giveBack = ({ live, incoming }: SwapPlaces): void => {
  if (!isThere(live)) return
  if (isThere(incoming)) rmSync(live, { recursive: true })
  else {
    makeParent(incoming)
    renameSync(live, incoming)
  }
}

/** Each must work after a move that was done, half done or not done, and after an interrupted rollback. */
const back: Readonly<Record<Move["kind"], (paths: SwapPlaces) => void>> = {
  keep: () => undefined,
  replace: ({ live, incoming, outgoing }) => {
    if (!isThere(outgoing)) return
    if (!isThere(incoming) && isThere(live)) linkOrCopy(live, incoming)
    // Two names of the same file: renaming does nothing and the second name stays.
    renameSync(outgoing, live)
    rmSync(outgoing, { force: true })
  },
  exchange: (paths) => {
    if (!isThere(paths.outgoing)) return
    giveBack(paths)
    renameSync(paths.outgoing, paths.live)
  },
  add: (paths) => {
    if (!isThere(paths.incoming)) giveBack(paths)
  },
  remove: ({ live, outgoing }) => {
    if (!isThere(outgoing)) return
    rmSync(live, { recursive: true, force: true })
    renameSync(outgoing, live)
  }
}

/** The moves themselves: a few milliseconds, with a startable program at every moment. */
export const makeMoves = (places: SwapPlaces, moves: ReadonlyArray<Move>): void => {
  for (const { kind, path } of moves) forth[kind](at(places, path))
}

/** Undoes them, however far they got. */
export const undoMoves = (places: SwapPlaces, moves: ReadonlyArray<Move>): void => {
  for (const { kind, path } of moves.toReversed()) back[kind](at(places, path))
}
