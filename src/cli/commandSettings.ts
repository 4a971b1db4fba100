import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { Console, Effect, FileSystem } from "effect"
import { homeDir, loadDiscoveredSettingsOf, loadSettingsOf } from "../layers/Config.ts"
import type { ServicePlaces } from "../services/machine/service-manager/serviceFiles.ts"

/** The package's folder: two levels above this module, both in the build and in the source. */
export const packageRoot = fileURLToPath(new URL("../..", import.meta.url)).replace(/[/\\]$/, "")

/** Where the service files of this user are. */
export const servicePlaces = (): ServicePlaces => ({
  homeDir,
  configDir: process.env.XDG_CONFIG_HOME ?? join(homeDir, ".config")
})

/** Resolves a relative SVC_HOME from the user's current folder instead of the program's. */
export const environmentFromHere = () => {
  const { SVC_HOME: home, ...others } = process.env
  return { ...others, SVC_HOME: home !== undefined && /^\s*[^\s/~]/.test(home) ? resolve(home.trim()) : home }
}

/**
 * The settings of a command without a folder: the environment, then the `.env` beside the program.
 * Never the current folder's: an agent or a repository could write it to redirect secrets.
 */
export const loadCommandSettings = Effect.suspend(() => loadSettingsOf(packageRoot, environmentFromHere()))

/** The same, with the gateway's token if it can be found; `problem` says why it couldn't be. */
export const loadDiscoveredCommandSettings = Effect.suspend(() =>
  loadDiscoveredSettingsOf(packageRoot, environmentFromHere())
)

/** Prints that the current folder's settings aren't used, if it has any. */
export const sayWhatIsNotRead = Effect.fnUntraced(function* (instead: string) {
  const here = process.cwd()
  const isThere = (yield* FileSystem.FileSystem).exists(join(here, ".env"))
  if (here === packageRoot || !(yield* Effect.orElseSucceed(isThere, () => false))) return
  yield* Console.error(`agent-console: .env in this folder isn't read by this command: ${instead}`)
})
