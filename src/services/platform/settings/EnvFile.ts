import { Context, Effect, FileSystem, Layer, Path } from "effect"
import { writeFileAtomic } from "../storage/atomicFile.ts"
import { PathLocks } from "../storage/PathLocks.ts"
import { orStorageFailure, type StorageFailure } from "../storage/StorageFailure.ts"
import { setInEnvText } from "./envText.ts"
import { Settings } from "./Settings.ts"

export interface EnvFileShape {
  /** Sets variables to plain words for the next start; the rest of the file is left alone. */
  readonly set: (variables: Readonly<Record<string, string>>) => Effect.Effect<void, StorageFailure>
}

const FILE_NAME = ".env"
/** A new file is readable by its owner only: the next thing added to it may be a token. */
const NEW_MODE = 0o600

/** One character for each byte: what is set and its surroundings are ASCII, and every other byte stays as it is. */
const decode = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1")
const encode = (text: string): Uint8Array => Buffer.from(text, "latin1")

/** The `.env` file of the directory the console was started in, written without losing anything in it. */
export class EnvFile extends Context.Service<EnvFile, EnvFileShape>()(
  "agent-console/services/platform/settings/EnvFile"
) {
  static readonly layer = Layer.effect(
    EnvFile,
    Effect.gen(function* () {
      const settings = yield* Settings
      const fs = yield* FileSystem.FileSystem
      const paths = yield* Path.Path
      const locks = yield* PathLocks
      const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
      const path = paths.join(settings.installDir, FILE_NAME)

      const set = Effect.fn("EnvFile.set")(function* (variables: Readonly<Record<string, string>>) {
        const write = Effect.gen(function* () {
          const bytes = yield* fs
            .readFile(path)
            .pipe(Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(undefined)))
          const text = bytes === undefined ? "" : decode(bytes)
          const changed = setInEnvText(text, variables)
          if (changed === text) return
          yield* writeFileAtomic(path, encode(changed), bytes === undefined ? { mode: NEW_MODE } : {})
        })
        yield* write.pipe(
          Effect.provideContext(platform),
          Effect.catchTag("PlatformError", (error) => orStorageFailure("couldn't write .env")(Effect.fail(error))),
          locks.withLock(path)
        )
      })

      return EnvFile.of({ set })
    })
  )
}
