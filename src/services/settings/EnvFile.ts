import { Context, Effect, FileSystem, Layer, Path } from "effect"
import { writeFileAtomic } from "../files/atomicFile.ts"
import { PathLocks } from "../files/PathLocks.ts"
import { orStorageFailure, StorageFailure } from "../files/StorageFailure.ts"
import { setInEnvText } from "./envText.ts"
import { Settings } from "./Settings.ts"

export interface EnvFileShape {
  /** Sets variables of plain words for the next start; everything else in the file stays as it is (D72). */
  readonly set: (variables: Readonly<Record<string, string>>) => Effect.Effect<void, StorageFailure>
}

const FILE_NAME = ".env"
/** A new file is the owner's alone: the next thing somebody writes into it may be a token. */
const NEW_MODE = 0o600

const decode = (bytes: Uint8Array) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)

/** The `.env` file of the directory the console was started in, written without losing anything of it (D72). */
export class EnvFile extends Context.Service<EnvFile, EnvFileShape>()("agent-console/services/settings/EnvFile") {
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
          const text = yield* Effect.try({
            try: () => (bytes === undefined ? "" : decode(bytes)),
            catch: (cause) => new StorageFailure({ message: ".env is not UTF-8 text: convert it first", cause })
          })
          const changed = setInEnvText(text, variables)
          if (changed === text) return
          yield* writeFileAtomic(path, changed, bytes === undefined ? { mode: NEW_MODE } : {})
        })
        yield* write.pipe(
          Effect.provideContext(platform),
          Effect.catchTag("PlatformError", (error) => orStorageFailure(".env cannot be written")(Effect.fail(error))),
          locks.withLock(path)
        )
      })

      return EnvFile.of({ set })
    })
  )
}
