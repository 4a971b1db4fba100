import { homedir } from "node:os"
import { fileURLToPath } from "node:url"
import { Effect, type FileSystem, Result } from "effect"
import { isOfficialGateway } from "../services/gateway/client/gatewayTarget.ts"
import { isOnThisMachine } from "../services/platform/outgoing/OutgoingHttp.ts"
import {
  DEFAULT_GATEWAY_URL,
  decodeSettings,
  SettingsError,
  settingIssues
} from "../services/platform/settings/decodeSettings.ts"
import type { SettingsShape } from "../services/platform/settings/Settings.ts"
import { variablesWithSecrets } from "../services/platform/settings/secretFiles.ts"
import {
  DEMO_WITHOUT_PASSWORD,
  exposureProblem,
  FOREIGN_GATEWAY,
  MISSING_TOKEN
} from "../services/platform/settings/startRules.ts"
import type { SettingsSourceShape } from "../services/platform/settings/variables.ts"
import { mergeVariables, parseDotEnv, readDotEnv, type Variables } from "../services/platform/settings/variables.ts"

const GATEWAY_VARIABLES = [
  "BOARD_URL",
  "GATEWAY_URL",
  "GATEWAY_TOKEN",
  "ALT_GATEWAY_TOKEN",
  "GATEWAY_HOME",
  "MEMORY_PATH",
  "MEMORY_DIR",
  "SESSIONS_DIR",
  "USAGE_FILE",
  "WORKSPACE_ROOT",
  "FILE_BROWSER_ROOT"
]

/** What sends something to an address, by the variable with the address: it stays if that's on this machine. */
const SENDING: Readonly<Record<string, ReadonlyArray<string>>> = {
  VENDOR_A_BASE_URL: ["VENDOR_A_API_KEY", "STT_PROVIDER"],
  VENDOR_B_BASE_URL: ["VENDOR_B_API_TOKEN"],
  NOTIFY_URL: ["NOTIFY_URL", "NOTIFY_SECRET"],
  OTEL_EXPORTER_OTLP_ENDPOINT: ["OTEL_EXPORTER_OTLP_ENDPOINT"]
}

/**
 * The variables for a demo: anything that points to a real gateway, its files or a real board is left out, and so is
 * what would send something to another machine. The demo keeps its state in the `demo` subfolder of the console's
 * folder, so it never touches real data.
 */
export const demoVariables = (variables: Variables): Variables => {
  const sending = Object.entries(SENDING).flatMap(([address, names]) =>
    isOnThisMachine(variables[address]?.trim() ?? "") ? [] : names
  )
  const left = new Set([...GATEWAY_VARIABLES, ...sending])
  const kept = Object.fromEntries(Object.entries(variables).filter(([name]) => !left.has(name)))
  const chosen = variables.SVC_HOME?.trim() ?? ""
  const home = `${chosen === "" ? "~/.agent-console" : chosen.replace(/\/+$/, "")}/demo`
  return { ...kept, SVC_HOME: home, GATEWAY_HOME: `${home}/gateway` }
}

/**
 * The user's home: what `~` means, and where the default folders are. A user that the system doesn't list, as in some
 * containers, may have none.
 */
export const homeDir = Result.getOrElse(Result.try(homedir), () => "/")

/** The built web app is next to this module's folder. */
const webRoot = fileURLToPath(new URL("../web", import.meta.url))

const variablesOf = (installDir: string, environment: Variables = process.env) =>
  Effect.flatMap(readDotEnv(installDir), (dotEnv) =>
    variablesWithSecrets({
      environment,
      workingDir: process.cwd(),
      dotEnv: parseDotEnv(dotEnv),
      dotEnvDir: installDir,
      homeDir
    })
  )

/** Where the settings of a console started in this folder are; `isRunning` in the process that is that console. */
export const settingsSource = Effect.fnUntraced(function* (
  installDir: string,
  options: { readonly isRunning: boolean; readonly environment?: Variables | undefined }
) {
  const { isRunning, environment = process.env } = options
  const platform = yield* Effect.context<FileSystem.FileSystem>()
  const source: SettingsSourceShape = {
    started: isRunning ? mergeVariables([environment, parseDotEnv(yield* readDotEnv(installDir))]) : undefined,
    now: readDotEnv(installDir).pipe(
      Effect.map((dotEnv) => ({ environment, dotEnv })),
      Effect.orElseSucceed(() => undefined),
      Effect.provideContext(platform)
    )
  }
  return source
})

const decode = (all: Readonly<Record<string, string | undefined>>, installDir: string) =>
  Effect.fromResult(decodeSettings(all, { homeDir, installDir, webRoot }))

/** The settings of a console started in this folder. */
export const loadSettingsOf = (installDir: string, environment?: Variables) =>
  Effect.flatMap(variablesOf(installDir, environment), (all) => decode(all, installDir))

/**
 * All settings of this process: the environment, then the `.env` of the folder it was started in, validated together.
 * If no gateway token is configured, it's looked up.
 */
export const loadSettings = Effect.fn("loadSettings")(function* (options: { readonly demo: boolean }) {
  const installDir = process.cwd()
  const all = yield* variablesOf(installDir)
  const settings = yield* decode(options.demo ? demoVariables(all) : all, installDir)
  const problem = exposureProblem(settings)
  if (problem !== undefined) return yield* new SettingsError({ message: problem })
  if (!options.demo) return settings.gatewayToken === undefined ? yield* discover(settings, all) : settings
  if (settings.authEnabled && settings.passwordHash === undefined) {
    return yield* new SettingsError({ message: DEMO_WITHOUT_PASSWORD })
  }
  return settings
})

/**
 * The settings of a console started in this folder, with the gateway's token if it can be found; `problem` says why it
 * couldn't be. For commands that report what's missing instead of failing.
 */
export const loadDiscoveredSettingsOf = Effect.fn("loadDiscoveredSettings")(function* (
  installDir: string,
  environment?: Variables
) {
  const all = yield* variablesOf(installDir, environment)
  const settings = yield* decode(all, installDir)
  if (settings.gatewayToken !== undefined) return { settings, problem: undefined }
  return yield* discover(settings, all).pipe(
    Effect.map((found) => ({ settings: found, problem: undefined })),
    Effect.catchTag("SettingsError", ({ message }) => Effect.succeed({ settings, problem: message }))
  )
})

const message = Result.match({ onSuccess: () => [], onFailure: (error: SettingsError) => [error.message] })

/** Everything that would keep a console in this folder from starting, as far as its settings go. */
export const settingProblems = Effect.fn("settingProblems")(function* (installDir: string, environment: Variables) {
  const read = yield* Effect.result(variablesOf(installDir, environment))
  const all = Result.isSuccess(read)
    ? read.success
    : mergeVariables([environment, parseDotEnv(yield* readDotEnv(installDir))])
  const issues = [...message(read), ...settingIssues(all).map(({ name, message: problem }) => `${name} ${problem}`)]
  if (issues.length > 0) return issues
  const settings = yield* decode(all, installDir)
  const exposure = exposureProblem(settings)
  if (exposure !== undefined) return [exposure]
  return settings.gatewayToken === undefined ? message(yield* Effect.result(discover(settings, all))) : []
})

/**
 * Looks up the token of this machine's gateway, which is sent to that gateway alone: a process that can write `GATEWAY_URL` doesn't
 * get it. Loaded on demand: most starts don't need the parser for the gateway's own file.
 */
const discover = Effect.fnUntraced(function* (settings: SettingsShape, variables: Readonly<Record<string, string>>) {
  const { discoverGateway } = yield* Effect.promise(
    () => import("../services/platform/settings/gatewayTokenDiscovery.ts")
  )
  const { port, token } = yield* discoverGateway(settings.gatewayHome, variables)
  if (token === undefined) return yield* new SettingsError({ message: MISSING_TOKEN })
  const own = port === undefined ? DEFAULT_GATEWAY_URL : `http://127.0.0.1:${port}`
  if (variables.GATEWAY_URL === undefined) return { ...settings, gatewayToken: token, gatewayUrl: own }
  if (!isOfficialGateway(new URL(settings.gatewayUrl), own)) {
    return yield* new SettingsError({ message: FOREIGN_GATEWAY })
  }
  return { ...settings, gatewayToken: token }
})
