import { isIP } from "node:net"
import type { SettingsShape } from "./Settings.ts"
import { isEveryInterface } from "./startRules.ts"

/** The HTTP address at which a console with these settings answers on its own machine. */
export const localAddress = ({ host, port }: Pick<SettingsShape, "host" | "port">): string => {
  const name = isEveryInterface(host) ? "127.0.0.1" : host
  return `http://${isIP(name) === 6 ? `[${name}]` : name}:${port}`
}
