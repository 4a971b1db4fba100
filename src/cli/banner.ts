import { isIP } from "node:net"
import type { GatewayStatus } from "../services/gateway/GatewayClient.ts"
import type { SettingsShape } from "../services/settings/Settings.ts"
import { isEveryInterface } from "../services/settings/startRules.ts"
import { packageInfo } from "../services/version/packageInfo.ts"

const line = (label: string, text: string) => `  ${label.padEnd(9)}${text}`

const addresses = (host: string, ports: { readonly http: number; readonly https: number | undefined }) => {
  const shown = isEveryInterface(host) ? "localhost" : isIP(host) === 6 ? `[${host}]` : host
  const http = `http://${shown}:${ports.http}`
  return ports.https === undefined ? [http] : [http, `https://${shown}:${ports.https}`]
}

const signIn = (settings: Pick<SettingsShape, "authEnabled" | "passwordHash">) => {
  if (!settings.authEnabled) return "off: whoever reaches the address gets in (SVC_AUTH=true turns it on)"
  return settings.passwordHash === undefined ? "on, with the gateway token as the password" : "on, with a password"
}

/** What a person reads as soon as the ports are open. Plain text, so that logs and pipes get the same. */
export const addressLines = (start: {
  readonly settings: Pick<SettingsShape, "host" | "authEnabled" | "passwordHash">
  readonly ports: { readonly http: number; readonly https: number | undefined }
  readonly demo: boolean
  readonly webBuilt: boolean
}): string => {
  const urls = addresses(start.settings.host, start.ports)
  const reach = isEveryInterface(start.settings.host) ? ", and at every other address of this machine" : ""
  return [
    `Agent Console ${packageInfo.version}${start.demo ? " (demo)" : ""}`,
    line("Open", `${urls.join("  ")}${reach}`),
    line("Sign-in", signIn(start.settings)),
    ...(start.webBuilt ? [] : [line("Web app", "not built, only the API answers: run `npm run build`")])
  ].join("\n")
}

/** The state of the gateway, told once it is known. */
export const gatewayLine = (start: {
  readonly status: Pick<GatewayStatus, "gateway" | "reason">
  readonly url: string
  readonly demo: boolean
}): string => {
  if (start.demo) return line("Gateway", "built in, for practice; nothing leaves this machine")
  if (start.status.gateway === "ok") return line("Gateway", `connected to ${start.url}`)
  const reason = start.status.reason === undefined ? "" : `: ${start.status.reason}`
  return line("Gateway", `${start.url} is not connected yet, still trying${reason}`)
}
