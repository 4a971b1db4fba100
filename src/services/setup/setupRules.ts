import { LANGUAGES } from "../settings/settingsSchema.ts"

/** A value that stands in `.env` without quotes as it is. */
export const isPlain = (value: string): boolean => /^[\w.~+/=:@%,?&[\]-]*$/.test(value)

/** A port somebody typed; `undefined` when it is none. */
export const parsePort = (text: string): number | undefined =>
  /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65535 ? Number(text) : undefined

/** The address of a gateway somebody typed, as its origin; `undefined` when it is none. */
export const parseGatewayUrl = (text: string): string | undefined => {
  const url = text.includes("://") ? text : `http://${text}`
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? new URL(url).origin : undefined
}

/** Origins somebody typed, separated by commas or blanks; `undefined` when one of them is none. */
export const parseOrigins = (text: string): string | undefined => {
  const words = text.split(/[\s,]+/).filter((word) => word !== "")
  const origins = words.map(parseGatewayUrl)
  return origins.includes(undefined) ? undefined : origins.join(",")
}

/** A voice language somebody typed; `undefined` when it is not one of the twelve. */
export const parseLanguage = (text: string): string | undefined =>
  LANGUAGES.find((language) => language === text.trim().slice(0, 2).toLowerCase())

/** An address of this machine with the name of its network card. */
export interface NetworkAddress {
  readonly address: string
  readonly family: string
  readonly internal: boolean
}

/** The addresses at which other devices open a console, as origins. */
export const originsOf = (addresses: ReadonlyArray<NetworkAddress>, port: number): ReadonlyArray<string> =>
  addresses
    .filter(({ family, internal }) => family === "IPv4" && !internal)
    .map(({ address }) => new URL(`http://${address}:${port}`).origin)
