import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs"
import { posix } from "node:path"
import { BEFORE, syncFolder } from "./restorePlaces.ts"

/**
 * A folder that can't be renamed, such as one that a volume is mounted at, is restored by moving what's in it. Two names
 * of the folder with the new files say how far that is: under the first the old files are being put aside, under the
 * second they all are, and the new ones are being moved to their places. So whatever cuts it off, the old files can be
 * put back, or the new ones moved on.
 */
const READY = ".restore-ready-"
const MOVING = ".restore-moving-"

/** Folders for this, and the one that a file system has at its top for itself. */
const OTHERS = new RegExp(`^(lost\\+found$|\\.unfinished-|\\${BEFORE}|\\${READY}|\\${MOVING})`)

/** The names in a folder that a restore would replace. */
export const contentOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder).filter((name) => !OTHERS.test(name))

const moveAll = (from: string, to: string): void => {
  for (const name of readdirSync(from)) renameSync(posix.join(from, name), posix.join(to, name))
  syncFolder(to)
  rmdirSync(from)
  syncFolder(posix.dirname(from))
}

/** Ends what was cut off, if there's something; whether the folder has its old files or the new ones then. */
export const finishInside = (folder: string): "old" | "new" | undefined => {
  const names = readdirSync(folder)
  const moving = names.find((name) => name.startsWith(MOVING))
  if (moving !== undefined) {
    moveAll(posix.join(folder, moving), folder)
    return "new"
  }
  const ready = names.find((name) => name.startsWith(READY))
  if (ready === undefined) return undefined
  const aside = posix.join(folder, `${BEFORE}${ready.slice(READY.length)}`)
  if (existsSync(aside)) moveAll(aside, folder)
  rmSync(posix.join(folder, ready), { recursive: true })
  return "old"
}

/**
 * Puts what's in a folder aside, in it, and moves the new files in its place; `prepared` is in the folder, too. Returns
 * where the old ones are, if there were any. No `.before-` folder may have this stamp. If it throws, `finishInside` ends it.
 */
export const replaceInside = (folder: string, prepared: string, stamp: string): string | undefined => {
  const named = (start: string) => posix.join(folder, `${start}${stamp}`)
  const [ready, moving, aside] = [named(READY), named(MOVING), named(BEFORE)]
  const old = contentOf(folder)
  // Nothing that was put aside earlier may be taken for what this one puts there.
  if (old.length > 0) mkdirSync(aside, { mode: 0o700 })
  renameSync(prepared, ready)
  if (old.length > 0) {
    for (const name of old) renameSync(posix.join(folder, name), posix.join(aside, name))
    syncFolder(aside)
  }
  syncFolder(folder)
  renameSync(ready, moving)
  syncFolder(folder)
  moveAll(moving, folder)
  return old.length > 0 ? aside : undefined
}
