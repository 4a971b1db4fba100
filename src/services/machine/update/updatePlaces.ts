import { posix } from "node:path"

/** The folder in a checkout where updates prepare and keep versions, on the same file system. */
export const FOLDER = ".update"

/** The prepared version's folder, relative to the update folder. */
export const PREPARED = "next"

/** A kept version's folder, relative to the update folder. */
export const keptAs = (commit: string): string => posix.join("kept", commit)

/** The paths of one checkout's updates. */
export const updatePlaces = (directory: string) => {
  const folder = posix.join(directory, FOLDER)
  return {
    folder,
    /** Makes git, and tools that follow its ignore rules, skip all of this. */
    ignore: posix.join(folder, ".gitignore"),
    /** The version being prepared. */
    next: posix.join(folder, PREPARED),
    /** Names the commit of a complete preparation. */
    ready: posix.join(folder, PREPARED, ".ready.json"),
    /** Earlier versions, each in a folder named after its commit. */
    kept: posix.join(folder, "kept"),
    /** The swap in progress. */
    swap: posix.join(folder, "swap.json"),
    /** Files of the previous version kept for a console that may still be running. */
    leftover: posix.join(folder, "leftover.json")
  }
}
