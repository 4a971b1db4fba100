import { copyFileSync, linkSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs"
import { posix } from "node:path"
import { Result } from "effect"
import { type Entry, inOrder, isOpened, type Move, moveKind, SWAPPED } from "./swapRules.ts"

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
    const [ownPath, newPath] = [posix.join(live, path), posix.join(incoming, path)]
    const [own, next] = [entryAt(ownPath), entryAt(newPath)]
    if (isOpened(path) && own !== "file" && next !== "file") {
      for (const name of new Set([...namesIn(ownPath), ...namesIn(newPath)])) walk(`${path}/${name}`)
      return
    }
    const kind = moveKind(path, own, next)
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
export const takeMovesBack = (places: SwapPlaces, moves: ReadonlyArray<Move>): void => {
  for (const { kind, path } of moves.toReversed()) back[kind](at(places, path))
}
