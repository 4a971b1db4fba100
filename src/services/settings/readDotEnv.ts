import { posix } from "node:path"
import { parseEnv } from "node:util"
import { Effect, FileSystem } from "effect"
import { SettingsError } from "./decodeSettings.ts"

/** Raw variables by name, as an environment or a `.env` file holds them. */
export type Variables = Readonly<Record<string, string | undefined>>

const BYTE_ORDER_MARK = /^\uFEFF/

/**
 * Variables of the text of a `.env` file: quotes, comments and `export` as usual, lines that are none of it are passed
 * over, and nothing in a value is expanded.
 */
export const parseDotEnv = (text: string): Variables => parseEnv(text.replace(BYTE_ORDER_MARK, ""))

/** The `.env` file in a directory; no file is no variables. Fails with a sentence when it is there and cannot be read. */
export const readDotEnv = Effect.fn("readDotEnv")(function* (
  directory: string
): Effect.fn.Return<Variables, SettingsError, FileSystem.FileSystem> {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.readFileString(posix.join(directory, ".env")).pipe(
    Effect.map(parseDotEnv),
    Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed({})),
    Effect.catchReason("PlatformError", "PermissionDenied", () =>
      Effect.fail(
        new SettingsError({ message: ".env is there but may not be read: give this user the right to read it" })
      )
    ),
    Effect.catchTag("PlatformError", () =>
      Effect.fail(new SettingsError({ message: ".env is there but could not be read: it has to be a text file" }))
    )
  )
})
