import { DateTime, Effect, FileSystem, Option, Path, Schema } from "effect"
import { writeFileAtomic } from "./atomicFile.ts"
import { orStorageFailure, type StorageFailure } from "./fileErrors.ts"
import { PathLocks } from "./PathLocks.ts"

const DIRECTORY_MODE = 0o700
const FILE_MODE = 0o600

/** A small settings file of the console. */
export interface JsonFile<A> {
  readonly read: Effect.Effect<A, StorageFailure>
  /** Updates the value with a rule, under the file's lock, and returns the new value. */
  readonly update: (rule: (value: A) => A) => Effect.Effect<A, StorageFailure>
}

/**
 * A private JSON file, read and replaced as a whole. A damaged one is renamed with a time stamp and counts as `empty`.
 * `what` names it in errors.
 */
export const makeJsonFile = Effect.fnUntraced(function* <A, I>(options: {
  readonly path: string
  readonly what: string
  readonly schema: Schema.Codec<A, I>
  readonly empty: A
}) {
  const { path, what, empty } = options
  const fs = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const locks = yield* PathLocks
  const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
  const stored = Schema.fromJsonString(options.schema)
  const decode = Schema.decodeUnknownOption(stored)
  const encode = Schema.encodeEffect(stored)

  const setAside = Effect.gen(function* () {
    const kept = `${path}.damaged-${DateTime.formatIso(yield* DateTime.now).replaceAll(":", "-")}`
    yield* fs.rename(path, kept)
    yield* Effect.logWarning(`${what} was damaged and has been renamed to ${paths.basename(kept)}`)
    return empty
  })

  const load = Effect.gen(function* () {
    const text = yield* fs
      .readFileString(path)
      .pipe(Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(undefined)))
    if (text === undefined) return empty
    const value = decode(text)
    return Option.isSome(value) ? value.value : yield* setAside
  })

  const read = load.pipe(orStorageFailure(`couldn't read ${what}`), locks.withLock(path))

  const update = Effect.fnUntraced(function* (rule: (value: A) => A) {
    const write = Effect.gen(function* () {
      const next = rule(yield* load)
      const text = yield* Effect.orDie(encode(next))
      yield* fs.makeDirectory(paths.dirname(path), { recursive: true, mode: DIRECTORY_MODE })
      yield* writeFileAtomic(path, `${text}\n`, { mode: FILE_MODE })
      return next
    })
    return yield* write.pipe(
      Effect.provideContext(platform),
      orStorageFailure(`couldn't write ${what}`),
      locks.withLock(path)
    )
  })

  return { read, update } satisfies JsonFile<A>
})
