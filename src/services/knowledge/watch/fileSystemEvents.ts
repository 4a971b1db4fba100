import { statfs } from "node:fs/promises"
import { dirname } from "node:path"
import { Effect } from "effect"
import { fileSystemKind } from "../../platform/storage/fileSystems.ts"

/** Whether the file system with this number doesn't report changes made by other machines. */
export const isWithoutEvents = (type: number): boolean => fileSystemKind(type)?.isShared === true

/** The number of the file system of a path, or of its nearest existing folder. */
const typeOf = (path: string): Effect.Effect<number | undefined> =>
  Effect.tryPromise(() => statfs(path)).pipe(
    Effect.map(({ type }): number | undefined => type),
    Effect.catch(() => {
      const parent = dirname(path)
      return parent === path ? Effect.succeed(undefined) : typeOf(parent)
    })
  )

/** Whether watching these paths would miss changes made by other machines. */
export const missesChanges = (paths: ReadonlyArray<string>): Effect.Effect<boolean> =>
  process.platform === "linux"
    ? Effect.map(Effect.forEach(paths, typeOf), (types) =>
        types.some((type) => type !== undefined && isWithoutEvents(type))
      )
    : Effect.succeed(false)
