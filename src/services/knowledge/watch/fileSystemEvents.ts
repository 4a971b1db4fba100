import { statfs } from "node:fs/promises"
import { dirname } from "node:path"
import { Effect } from "effect"
import { fileSystemKind } from "../../platform/storage/fileSystems.ts"

/** Whether the file system with this number leaves out changes that are made on its other side. */
export const isWithoutEvents = (type: number): boolean => fileSystemKind(type)?.isShared === true

/** The number of a path's file system, or that of its nearest folder which exists. */
const typeOf = (path: string): Effect.Effect<number | undefined> =>
  Effect.tryPromise(() => statfs(path)).pipe(
    Effect.map(({ type }): number | undefined => type),
    Effect.catch(() => {
      const parent = dirname(path)
      return parent === path ? Effect.succeed(undefined) : typeOf(parent)
    })
  )

/** Whether watching these paths would miss changes made from elsewhere. */
export const missesChanges = (paths: ReadonlyArray<string>): Effect.Effect<boolean> =>
  process.platform === "linux"
    ? Effect.map(Effect.forEach(paths, typeOf), (types) =>
        types.some((type) => type !== undefined && isWithoutEvents(type))
      )
    : Effect.succeed(false)
