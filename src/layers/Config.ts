import { homedir } from "node:os"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { demoVariables } from "../services/embedded-gateway/demo/demoVariables.ts"
import { decodeSettings, SettingsError } from "../services/settings/decodeSettings.ts"
import { readDotEnv } from "../services/settings/readDotEnv.ts"
import type { SettingsShape } from "../services/settings/Settings.ts"
import { DEMO_WITHOUT_PASSWORD, exposureProblem, MISSING_TOKEN } from "../services/settings/startRules.ts"
import { mergeVariables } from "../services/settings/variables.ts"

/** The user's home, where `~` and the default directories are. */
export const homeDir = homedir()

/** The built app lies beside the folder of this module's chunk. */
const webRoot = fileURLToPath(new URL("../web", import.meta.url))

const variablesOf = (installDir: string) =>
  Effect.map(readDotEnv(installDir), (dotEnv) => mergeVariables([process.env, dotEnv]))

/** The settings as a console has them that is started in this directory. */
export const loadSettingsOf = (installDir: string) =>
  Effect.flatMap(variablesOf(installDir), (all) =>
    Effect.fromResult(decodeSettings(all, { homeDir, installDir, webRoot }))
  )

/** The settings as they are, for commands that neither listen nor reach a gateway. */
export const loadPlainSettings = Effect.suspend(() => loadSettingsOf(process.cwd()))

/**
 * Every setting of this process: its environment over the `.env` of the directory it was started in, checked as a
 * whole, with the gateway's token looked up where none is configured (D36).
 */
export const loadSettings = Effect.fn("loadSettings")(function* (options: { readonly demo: boolean }) {
  const installDir = process.cwd()
  const all = yield* variablesOf(installDir)
  const settings = yield* Effect.fromResult(
    decodeSettings(options.demo ? demoVariables(all) : all, { homeDir, installDir, webRoot })
  )
  const problem = exposureProblem(settings)
  if (problem !== undefined) return yield* new SettingsError({ message: problem })
  if (!options.demo) return settings.gatewayToken === undefined ? yield* discover(settings, all) : settings
  if (settings.authEnabled && settings.passwordHash === undefined) {
    return yield* new SettingsError({ message: DEMO_WITHOUT_PASSWORD })
  }
  return settings
})

/**
 * The settings as they are, with the gateway's token where it can be found; `problem` says why it could not be looked
 * for. For commands that tell what is missing instead of refusing it.
 */
export const loadDiscoveredSettings = Effect.suspend(() => {
  const installDir = process.cwd()
  return Effect.gen(function* () {
    const all = yield* variablesOf(installDir)
    const settings = yield* Effect.fromResult(decodeSettings(all, { homeDir, installDir, webRoot }))
    if (settings.gatewayToken !== undefined) return { settings, problem: undefined }
    return yield* discover(settings, all).pipe(
      Effect.map((found) => ({ settings: found, problem: undefined })),
      Effect.catchTag("SettingsError", ({ message }) => Effect.succeed({ settings, problem: message }))
    )
  })
})

/** Loaded only where it is needed: reading the gateway's own file needs a parser that most starts do without. */
const discover = Effect.fnUntraced(function* (settings: SettingsShape, variables: Readonly<Record<string, string>>) {
  const { discoverGateway } = yield* Effect.promise(() => import("../services/settings/gatewayTokenDiscovery.ts"))
  const { port, token } = yield* discoverGateway(settings.gatewayHome, variables)
  if (token === undefined) return yield* new SettingsError({ message: MISSING_TOKEN })
  const gatewayUrl =
    port === undefined || variables.GATEWAY_URL !== undefined ? settings.gatewayUrl : `http://127.0.0.1:${port}`
  return { ...settings, gatewayToken: token, gatewayUrl }
})
