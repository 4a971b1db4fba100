import { posix } from "node:path"
import { parseEnv } from "node:util"
import { Effect, FileSystem, Option, Redacted, Result, Schema } from "effect"
import JSON5 from "json5"
import { SettingsError } from "./decodeSettings.ts"

/** A secret as the gateway's configuration writes it: the text itself, or where to find it. */
const SecretInput = Schema.Union([
  Schema.String,
  Schema.Struct({ source: Schema.Literals(["env", "file", "exec", "store"]), id: Schema.String })
])

/** The part of `openclaw.json` that says how to reach the gateway; everything else is ignored. */
export const GatewayConfigFile = Schema.Struct({
  env: Schema.optional(Schema.Record(Schema.String, Schema.Unknown)),
  gateway: Schema.optional(
    Schema.Struct({
      /** Read by `portOf`: an invalid port must not prevent finding the token. */
      port: Schema.optional(Schema.Unknown),
      auth: Schema.optional(Schema.Struct({ token: Schema.optional(SecretInput) }))
    })
  )
})

export type GatewayConfigFile = typeof GatewayConfigFile.Type

const decodePort = Schema.decodeUnknownOption(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65535 })))

/** The gateway's port, if its configuration has a valid one. */
export const portOf = (config: GatewayConfigFile): number | undefined =>
  Option.getOrUndefined(decodePort(config.gateway?.port))

/** The kind of a token setting. `variable` is a name, never a value. */
export type TokenLookup =
  | { readonly _tag: "Found"; readonly token: string }
  | { readonly _tag: "Absent" }
  | { readonly _tag: "UnsetVariable"; readonly variable: string }
  | { readonly _tag: "OtherStore"; readonly source: string }

/** The variable the gateway itself reads if its file has no token. */
const GATEWAY_TOKEN_VARIABLE = "OPENCLAW_GATEWAY_TOKEN"

const WHOLE_REFERENCE = /^(?:\$\{([A-Z_][A-Z0-9_]*)\}|\$([A-Z][A-Z0-9_]*))$/
const INNER_REFERENCE = /\$(\$?)\{([A-Z_][A-Z0-9_]*)\}/g

type Variables = Readonly<Record<string, string | undefined>>

const fromVariable = (variable: string, variables: Variables): TokenLookup => {
  const token = variables[variable]
  return token === undefined ? { _tag: "UnsetVariable", variable } : { _tag: "Found", token }
}

const fromText = (text: string, variables: Variables): TokenLookup => {
  const whole = WHOLE_REFERENCE.exec(text)
  const name = whole?.[1] ?? whole?.[2]
  if (name !== undefined) return fromVariable(name, variables)
  let missing: string | undefined
  const token = text.replace(INNER_REFERENCE, (reference: string, escape: string, variable: string) => {
    if (escape.length > 0) return reference.slice(1)
    const value = variables[variable]
    if (value === undefined) missing ??= variable
    return value ?? ""
  })
  return missing === undefined ? { _tag: "Found", token } : { _tag: "UnsetVariable", variable: missing }
}

/**
 * Reads the gateway's shared token from its decoded configuration. References are `${NAME}`, `$NAME` or an
 * object with `source: "env"`; the first of `sources` that has the variable wins, the file's own `env` block comes
 * last.
 */
export const lookUpToken = (config: GatewayConfigFile, sources: ReadonlyArray<Variables>): TokenLookup => {
  const known = firstFilled([...sources, inlineVariables(config.env ?? {})])
  const setting = config.gateway?.auth?.token
  if (setting === undefined || (typeof setting === "string" && setting.trim().length === 0)) {
    const token = known[GATEWAY_TOKEN_VARIABLE]
    return token === undefined ? { _tag: "Absent" } : { _tag: "Found", token }
  }
  if (typeof setting === "string") return fromText(setting.trim(), known)
  return setting.source === "env" ? fromVariable(setting.id, known) : { _tag: "OtherStore", source: setting.source }
}

const decodeBlock = Schema.decodeUnknownOption(Schema.Record(Schema.String, Schema.Unknown))

const inlineVariables = (block: Readonly<Record<string, unknown>>): Variables => {
  const vars = Option.getOrElse(decodeBlock(block.vars), () => ({}))
  const texts: Record<string, string> = {}
  for (const [name, value] of [...Object.entries(block), ...Object.entries(vars)]) {
    if (typeof value === "string") texts[name] = value
  }
  return texts
}

/** An empty variable counts as not set, as it does for the gateway. */
const firstFilled = (sources: ReadonlyArray<Variables>): Variables => {
  const merged: Record<string, string> = {}
  for (const source of sources.toReversed()) {
    for (const [name, value] of Object.entries(source)) {
      const text = value?.trim() ?? ""
      if (text.length > 0) merged[name] = text
    }
  }
  return merged
}

/** How to reach this machine's gateway, according to its own files. */
export interface DiscoveredGateway {
  readonly token: Redacted.Redacted<string> | undefined
  /** `gateway.port` of its configuration. */
  readonly port: number | undefined
}

const CONFIG_NAME = "openclaw.json"
const SET_IT = "set GATEWAY_TOKEN to the gateway's token instead"

const decodeConfig = Schema.decodeUnknownResult(GatewayConfigFile)

/** The gateway's files are much smaller. */
const MAX_BYTES = 4 * 1024 * 1024

const readIfThere = Effect.fnUntraced(function* (path: string, name: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* Effect.gen(function* () {
    const info = yield* fs.stat(path)
    if (info.type !== "File" || info.size > MAX_BYTES) {
      return yield* new SettingsError({
        message: `${name} in the gateway's folder isn't a settings file: ${SET_IT}`
      })
    }
    return yield* fs.readFileString(path)
  }).pipe(
    Effect.catchReason("PlatformError", "NotFound", () => Effect.undefined),
    Effect.catchReason("PlatformError", "PermissionDenied", () =>
      Effect.fail(
        new SettingsError({
          message: `no permission to read ${name} in the gateway's folder: allow it, or ${SET_IT}`
        })
      )
    ),
    Effect.catchTag("PlatformError", () =>
      Effect.fail(new SettingsError({ message: `couldn't read ${name} in the gateway's folder: ${SET_IT}` }))
    )
  )
})

const POSITION = / at (\d+):(\d+)$/

const parseConfig = (text: string): Result.Result<GatewayConfigFile, SettingsError> =>
  Result.try({
    try: (): unknown => JSON5.parse(text),
    catch: (cause) => {
      const at = POSITION.exec(cause instanceof Error ? cause.message : "")
      const where = at === null ? "" : ` (line ${at[1]}, column ${at[2]})`
      return new SettingsError({ message: `${CONFIG_NAME} in the gateway's folder is invalid${where}: ${SET_IT}` })
    }
  }).pipe(
    Result.flatMap((value) =>
      decodeConfig(value).pipe(
        Result.mapError(
          () =>
            new SettingsError({
              message: `the "gateway" section of ${CONFIG_NAME} in the gateway's folder isn't valid: ${SET_IT}`
            })
        )
      )
    )
  )

/**
 * Reads the token and port from `openclaw.json` in the gateway's folder; without that file, only the gateway's own
 * variable is used. Variables the file refers to are looked up in `env`, then in the gateway's own `.env`, then in the
 * file's `env` block. Fails with a message if the file exists but can't be used.
 */
export const discoverGateway = Effect.fn("discoverGateway")(function* (
  gatewayHome: string,
  env: Readonly<Record<string, string | undefined>>
): Effect.fn.Return<DiscoveredGateway, SettingsError, FileSystem.FileSystem> {
  const text = yield* readIfThere(posix.join(gatewayHome, CONFIG_NAME), CONFIG_NAME)
  const config = text === undefined ? {} : yield* Effect.fromResult(parseConfig(text))
  // An unreadable `.env` only matters if a variable is missing, which is then reported.
  const dotEnv = yield* readIfThere(posix.join(gatewayHome, ".env"), ".env").pipe(Effect.orElseSucceed(() => undefined))
  const port = portOf(config)
  const found = lookUpToken(config, [env, dotEnv === undefined ? {} : parseEnv(dotEnv)])
  switch (found._tag) {
    case "Found":
      return { token: Redacted.make(found.token), port }
    case "Absent":
      return { token: undefined, port }
    case "UnsetVariable":
      return yield* new SettingsError({
        message: `${CONFIG_NAME} takes the gateway's token from the variable ${found.variable}, which isn't set here: set ${found.variable} or GATEWAY_TOKEN`
      })
    case "OtherStore":
      return yield* new SettingsError({
        message: `${CONFIG_NAME} keeps the gateway's token in a secret store (${found.source}) that only the gateway can read: ${SET_IT}`
      })
  }
})
