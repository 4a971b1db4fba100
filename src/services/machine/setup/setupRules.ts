import { LANGUAGES } from "../../../contract/schema/voice.ts"
import { isLoopbackGateway } from "../../gateway/client/gatewayTarget.ts"
import { localAddress } from "../../platform/settings/localAddress.ts"
import type { SettingsShape } from "../../platform/settings/Settings.ts"
import { isEveryInterface } from "../../platform/settings/startRules.ts"

/** A value that needs no quotes in `.env`. */
export const isPlain = (value: string): boolean => /^[\w.~+/=:@%,?&[\]-]*$/.test(value)

/** Parses a typed port; `undefined` if it isn't one. */
export const parsePort = (text: string): number | undefined =>
  /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65535 ? Number(text) : undefined

/** Parses a typed gateway address to its origin; `undefined` if it isn't one. */
export const parseGatewayUrl = (text: string): string | undefined => {
  const url = text.includes("://") ? text : `http://${text}`
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? new URL(url).origin : undefined
}

/** Parses typed origins, separated by commas or spaces; `undefined` if one of them isn't valid. */
export const parseOrigins = (text: string): string | undefined => {
  const words = text.split(/[\s,]+/).filter((word) => word !== "")
  const origins = words.map(parseGatewayUrl)
  return origins.includes(undefined) ? undefined : origins.join(",")
}

/** Parses a typed voice language; `undefined` if it isn't one of the twelve. */
export const parseLanguage = (text: string): string | undefined =>
  LANGUAGES.find((language) => language === text.trim().slice(0, 2).toLowerCase())

/** One of this machine's addresses, with its network interface. */
export interface NetworkAddress {
  readonly address: string
  readonly family: string
  readonly internal: boolean
}

/** The addresses other devices can use to open the console, as origins. */
export const originsOf = (addresses: ReadonlyArray<NetworkAddress>, port: number): ReadonlyArray<string> =>
  addresses
    .filter(({ family, internal }) => family === "IPv4" && !internal)
    .map(({ address }) => new URL(`http://${address}:${port}`).origin)

/** Where the gateway reaches the console; `undefined` if the console answers only on its own machine, and the gateway is on another. */
export const addressForGateway = (
  settings: Pick<SettingsShape, "gatewayUrl" | "host" | "port">,
  addresses: ReadonlyArray<NetworkAddress>
): string | undefined => {
  const local = localAddress(settings)
  if (isLoopbackGateway(settings.gatewayUrl)) return local
  if (isEveryInterface(settings.host)) return originsOf(addresses, settings.port)[0]
  return isLoopbackGateway(local) ? undefined : local
}
