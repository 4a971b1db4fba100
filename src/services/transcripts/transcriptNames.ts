import { readdirSync } from "node:fs"
// Imported from its own module, so the reading threads start without the rest of the library.
import * as Result from "effect/Result"

const SET_ASIDE = /^(.+)\.jsonl\.(?:reset|deleted)\.[^/]*$/
const ENDING = ".jsonl"

/** The gateway copies a transcript before it shortens it. */
const CHECKPOINT = /^(.+)\.checkpoint\.[^.]+$/

const withoutEnding = (name: string): string | undefined => {
  if (name.endsWith(ENDING) && name.length > ENDING.length) return name.slice(0, -ENDING.length)
  return name.endsWith(".zst") ? undefined : SET_ASIDE.exec(name)?.[1]
}

/** The session a checkpoint was made of, by its name without the ending; `undefined` for what is none. */
export const checkpointOf = (name: string): string | undefined => CHECKPOINT.exec(name)?.[1]

/** The session in a transcript's file name, including archived ones and checkpoints; `undefined` for other files. */
export const sessionOf = (name: string): string | undefined => {
  const stem = withoutEnding(name)
  return stem === undefined ? undefined : (checkpointOf(stem) ?? stem)
}

/** Whether a transcript is in use, not archived by a reset or deletion. */
export const isLive = (name: string): boolean => name.endsWith(ENDING)

/** Whether it's a copy that the gateway made of a transcript. */
export const isCheckpoint = (name: string): boolean => {
  const stem = withoutEnding(name)
  return stem !== undefined && checkpointOf(stem) !== undefined
}

/** The names of a folder's transcripts; `undefined` for a folder that can't be listed. */
export const transcriptsIn = (folder: string): ReadonlyArray<string> | undefined =>
  Result.getOrUndefined(Result.try(() => readdirSync(folder)))?.filter((name) => sessionOf(name) !== undefined)
