import { closeSync, fsyncSync, lstatSync, openSync, readdirSync, readlinkSync, realpathSync, renameSync } from "node:fs"
import { posix } from "node:path"
import { Effect } from "effect"

/** In the name of a folder that a restore has put aside, before the moment. */
export const BEFORE = ".before-"

const STAMP = /^\d{8}-\d{6}$/
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

/**
 * Puts the console's folder back that a restore had put aside, when it was cut off before the new one took its place: the
 * folder is gone then, and the latest one beside it is whole. Returns that one's path; `undefined` if there was nothing to do.
 */
export const putBack = (folder: string): Effect.Effect<string | undefined> =>
  Effect.try(() => {
    const place = linkedPlace(folder)
    const parent = posix.dirname(place)
    if (lstatSync(place, { throwIfNoEntry: false }) !== undefined) return undefined
    const start = `${posix.basename(place)}${BEFORE}`
    const [latest] = readdirSync(parent)
      .filter((name) => name.startsWith(start) && STAMP.test(name.slice(start.length)))
      .toSorted()
      .reverse()
    if (latest === undefined) return undefined
    const aside = posix.join(parent, latest)
    renameSync(aside, place)
    syncFolder(parent)
    return aside
  }).pipe(
    Effect.tap((aside) =>
      aside === undefined
        ? Effect.void
        : Effect.logWarning(`A restore had been cut off: ${aside} was put back to ${folder}`)
    ),
    // Without a folder to look into there is nothing to put back; what uses the folder says what's wrong.
    Effect.orElseSucceed(() => undefined)
  )
