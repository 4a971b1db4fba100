import { isIP } from "node:net"
import type { GatewayStatus } from "../contract/schema/gateway.ts"
import type { SettingsShape } from "../services/platform/settings/Settings.ts"
import { isEveryInterface } from "../services/platform/settings/startRules.ts"
import { packageInfo } from "../services/platform/version/packageInfo.ts"

const line = (label: string, text: string) => `  ${label.padEnd(9)}${text}`

const addresses = (host: string, ports: { readonly http: number; readonly https: number | undefined }) => {
  const shown = isEveryInterface(host) ? "localhost" : isIP(host) === 6 ? `[${host}]` : host
  const http = `http://${shown}:${ports.http}`
  return ports.https === undefined ? [http] : [http, `https://${shown}:${ports.https}`]
}

const signIn = (settings: Pick<SettingsShape, "authEnabled" | "passwordHash">) => {
  if (!settings.authEnabled) return "off: anyone who can reach this address gets in (set SVC_AUTH=true to turn it on)"
  return settings.passwordHash === undefined ? "on, with the gateway token as the password" : "on, with a password"
}

/** Printed as soon as the ports are open. Plain text, so logs and pipes get the same. */
export const addressLines = (start: {
  readonly settings: Pick<SettingsShape, "host" | "authEnabled" | "passwordHash">
  readonly ports: { readonly http: number; readonly https: number | undefined }
  readonly demo: boolean
  readonly webBuilt: boolean
}): string => {
  const urls = addresses(start.settings.host, start.ports)
  const reach = isEveryInterface(start.settings.host) ? ", and on every other address of this machine" : ""
  return [
    `Agent Console ${packageInfo.version}${start.demo ? " (demo)" : ""}`,
    line("Open", `${urls.join("  ")}${reach}`),
    line("Sign-in", signIn(start.settings)),
    ...(start.webBuilt ? [] : [line("Web app", "not built, so only the API works: run `npm run build`")])
  ].join("\n")
}

export const DEMO_GATEWAY_LINE = line("Gateway", "built-in practice gateway; nothing leaves this machine")

/** The state of the gateway, printed once it's known. */
export const gatewayLine = (start: {
  readonly status: Pick<GatewayStatus, "gateway" | "reason">
  readonly url: string
}): string => {
  if (start.status.gateway === "ok") return line("Gateway", `connected to ${start.url}`)
  const reason = start.status.reason === undefined ? "" : `: ${start.status.reason}`
  return line("Gateway", `not connected to ${start.url} yet, still trying${reason}`)
}
