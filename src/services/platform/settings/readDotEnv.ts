import { posix } from "node:path"
import { parseEnv } from "node:util"
import { Effect, FileSystem } from "effect"
import { SettingsError } from "./decodeSettings.ts"
import type { Variables } from "./variables.ts"

const BYTE_ORDER_MARK = /^\uFEFF/

/**
 * The variables in a `.env` file's text: quotes, comments and `export` as usual, other lines are ignored, and values
 * aren't expanded.
 */
export const parseDotEnv = (text: string): Variables => parseEnv(text.replace(BYTE_ORDER_MARK, ""))

/** The text of the `.env` file in a directory; no file is an empty one. Fails with a message if it can't be read. */
export const readDotEnv = Effect.fn("readDotEnv")(function* (
  directory: string
): Effect.fn.Return<string, SettingsError, FileSystem.FileSystem> {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.readFileString(posix.join(directory, ".env")).pipe(
    Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed("")),
    Effect.catchReason("PlatformError", "PermissionDenied", () =>
      Effect.fail(new SettingsError({ message: "no permission to read .env: let this user read it" }))
    ),
    Effect.catchTag("PlatformError", () =>
      Effect.fail(new SettingsError({ message: "couldn't read .env: it must be a text file" }))
    )
  )
})
