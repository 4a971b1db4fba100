import { posix } from "node:path"
import { Effect, FileSystem } from "effect"
import { SettingsError } from "./decodeSettings.ts"
import { mergeVariables, type Variables } from "./variables.ts"

/** The settings whose value may be in a file, which `<name>_FILE` names: what containers mount as secrets. */
export const SECRETS: ReadonlyArray<string> = [
  "GATEWAY_TOKEN",
  "VENDOR_A_API_KEY",
  "VENDOR_B_API_TOKEN",
  "SVC_PASSWORD_HASH",
  "SVC_SESSION_SECRET",
  "BOARD_URL",
  "NOTIFY_SECRET"
]

/** The variable with the path of the file that has this setting's value. */
export const fileVariable = (name: string): string => `${name}_FILE`

/** Where the variables of a start are, and from where their relative paths count. */
export interface VariableSources {
  readonly environment: Variables
  readonly workingDir: string
  readonly dotEnv: Variables
  readonly dotEnvDir: string
  readonly homeDir: string
}

const isSet = (value: string | undefined): value is string => value !== undefined && value.trim().length > 0

const placeOf = (sources: VariableSources, name: string): string | undefined => {
  const { environment, dotEnv, homeDir } = sources
  const isInEnvironment = isSet(environment[name])
  const given = isInEnvironment ? environment[name] : dotEnv[name]
  if (!isSet(given)) return undefined
  const path = given.trim()
  if (path.startsWith("~/")) return posix.join(homeDir, path.slice(1))
  return posix.resolve(isInEnvironment ? sources.workingDir : sources.dotEnvDir, path)
}

const readSecret = Effect.fnUntraced(function* (variable: string, path: string) {
  const fs = yield* FileSystem.FileSystem
  const refuse = (problem: string) => Effect.fail(new SettingsError({ message: `${variable} ${problem}` }))
  const read = Effect.gen(function* () {
    const { type } = yield* fs.stat(path)
    if (type === "Directory") return yield* refuse("names a folder: give it the file with the value in it")
    if (type !== "File")
      return yield* refuse("names something other than a file: give it the file with the value in it")
    return (yield* fs.readFileString(path)).replace(/\r?\n$/, "")
  })
  const text = yield* read.pipe(
    Effect.catchReason("PlatformError", "NotFound", () => refuse("names a file that isn't there: check the path")),
    Effect.catchTag("PlatformError", () => refuse("names a file that can't be read: let this user read it"))
  )
  return text === "" ? yield* refuse("names an empty file: put the value in it") : text
})

/**
 * All variables of a start, the environment before `.env`, with the values of the secrets that are in files. Fails if a
 * file can't be used, or if a setting and its file are both given.
 */
export const variablesWithSecrets = Effect.fn("variablesWithSecrets")(function* (
  sources: VariableSources
): Effect.fn.Return<Readonly<Record<string, string>>, SettingsError, FileSystem.FileSystem> {
  const all = mergeVariables([sources.environment, sources.dotEnv])
  const read: Record<string, string> = {}
  for (const name of SECRETS) {
    const variable = fileVariable(name)
    const path = placeOf(sources, variable)
    if (path === undefined) continue
    if (isSet(all[name])) {
      return yield* new SettingsError({ message: `${name} and ${variable} are both set: remove one of them` })
    }
    read[name] = yield* readSecret(variable, path)
  }
  return { ...all, ...read }
})
