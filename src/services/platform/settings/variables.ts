import { posix } from "node:path"
import { parseEnv } from "node:util"
import { Context, Effect, FileSystem } from "effect"
import { SettingsError } from "./decodeSettings.ts"
import { countsWhenEmpty } from "./settingsSchema.ts"

/** Raw variables by name, from the environment or a `.env` file. */
export type Variables = Readonly<Record<string, string | undefined>>

const isFilled = (value: string | undefined): value is string => value !== undefined && value.trim().length > 0

/** Merges several sets of variables; the first source with a value that counts wins. */
export const mergeVariables = (sources: ReadonlyArray<Variables>): Readonly<Record<string, string>> => {
  const merged: Record<string, string> = Object.create(null)
  for (const source of sources) {
    for (const [name, value] of Object.entries(source)) {
      if (merged[name] !== undefined) continue
      if (isFilled(value) || (value !== undefined && countsWhenEmpty(name))) merged[name] = value
    }
  }
  return merged
}

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

/** Where settings were read from. */
export interface SettingSources {
  readonly environment: Variables
  /** The text of `.env`; empty without one. */
  readonly dotEnv: string
}

/** The sources of this process's settings, which can be read again. */
export interface SettingsSourceShape {
  /** The variables of the running console's start; `undefined` for a command. */
  readonly started: Variables | undefined
  /** The present ones; `undefined` if they can't be read. */
  readonly now: Effect.Effect<SettingSources | undefined>
}

/** Absent if the settings weren't read from variables. */
export const SettingsSource = Context.Reference<SettingsSourceShape | undefined>(
  "agent-console/services/platform/settings/SettingsSource",
  { defaultValue: () => undefined }
)
