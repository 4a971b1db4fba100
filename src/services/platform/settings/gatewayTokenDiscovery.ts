import { posix } from "node:path"
import { parseEnv } from "node:util"
import { Effect, FileSystem, Redacted, Result, Schema } from "effect"
import JSON5 from "json5"
import { SettingsError } from "./decodeSettings.ts"
import { GatewayConfigFile, lookUpToken, portOf } from "./gatewayTokenRules.ts"

/** How to reach this machine's gateway, according to its own files. */
export interface DiscoveredGateway {
  readonly token: Redacted.Redacted<string> | undefined
  /** `gateway.port` of its configuration. */
  readonly port: number | undefined
}

const CONFIG_NAME = "openclaw.json"
const SET_IT = "set GATEWAY_TOKEN to the gateway's token instead"

const decodeConfig = Schema.decodeUnknownResult(GatewayConfigFile)

/** The gateway's files are small; anything longer is not one of them. */
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
  // Its `.env` only matters if a variable is missing, and then that's the better thing to report.
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
