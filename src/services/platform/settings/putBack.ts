import { lstatSync, readdirSync, renameSync, statSync } from "node:fs"
import { posix } from "node:path"
import { Effect, Option, Schema } from "effect"
import { finishInside } from "./restoreInside.ts"
import { BEFORE, linkedPlace, syncFolder } from "./restorePlaces.ts"

const STAMP = /^\d{8}-\d{6}$/

/** A restore was cut off and can't be ended; `message` says why. */
export class RestoreCutOff extends Schema.TaggedError<RestoreCutOff>()("RestoreCutOff", { message: Schema.String }) {}

/** Ends a restore that was cut off while it moved what's in the folder. */
const endInside = (place: string) =>
  Effect.try({
    try: () => finishInside(place),
    catch: (cause) =>
      new RestoreCutOff({
        message: `a restore was cut off in it and can't be ended (${cause instanceof Error ? cause.message : cause}). It goes on at the next start or restore`
      })
  }).pipe(
    Effect.tap((files) =>
      files === undefined
        ? Effect.void
        : Effect.logWarning(
            `A restore had been cut off: ${place} has its ${files === "old" ? "old files back" : "new files now"}`
          )
    ),
    Effect.asVoid
  )

/**
 * Puts the console's folder back that a restore had put aside, when it was cut off before the new one took its place: the
 * folder is gone then, and the latest one beside it is whole. Returns that one's path; `undefined` if there was nothing to do.
 */
const putFolderBack = (folder: string): Effect.Effect<string | undefined> =>
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

/** Ends what a restore that was cut off has left of a folder, whichever way it went. */
export const putBack = Effect.fn("putBack")(function* (folder: string) {
  const aside = yield* putFolderBack(folder)
  const info = yield* Effect.option(Effect.try(() => statSync(folder)))
  if (Option.exists(info, (one) => one.isDirectory())) yield* endInside(folder)
  return aside
})
