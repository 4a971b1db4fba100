import { join, resolve } from "node:path"

export interface Machine {
  readonly platform: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Where installed gateways are kept, outside the project: what GATEWAY_CACHE says, or the user's cache folder. */
export const cacheFolder = ({ platform, home, env }: Machine): string => {
  const named = env.GATEWAY_CACHE ?? ""
  if (named !== "") return resolve(named)
  return join(userCache(platform, home, env), "agent-console", "gateways")
}

const userCache = (platform: string, home: string, env: Machine["env"]): string => {
  if (platform === "darwin") return join(home, "Library", "Caches")
  if (platform === "win32") return env.LOCALAPPDATA || join(home, "AppData", "Local")
  // A relative path there is invalid, says the XDG base directory specification.
  const xdg = env.XDG_CACHE_HOME ?? ""
  return xdg.startsWith("/") ? xdg : join(home, ".cache")
}
