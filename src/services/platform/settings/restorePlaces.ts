import { closeSync, fsyncSync, lstatSync, openSync, readlinkSync, realpathSync } from "node:fs"
import { posix } from "node:path"

/** In the name of a folder that a restore has put aside, before the moment. */
export const BEFORE = ".before-"

/** As many as the system itself follows. */
const MOST_LINKS = 40

/** The folder that a path means: a link is the folder that it leads to, whether that's there or not. */
export const linkedPlace = (path: string): string => {
  let at = path
  for (let links = 0; links < MOST_LINKS; links += 1) {
    if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return at
    at = posix.resolve(realpathSync(posix.dirname(at)), readlinkSync(at))
  }
  return at
}

/** What a rename changed is on disk. */
export const syncFolder = (folder: string): void => {
  const handle = openSync(folder, "r")
  fsyncSync(handle)
  closeSync(handle)
}
