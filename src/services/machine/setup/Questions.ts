import { Context, Effect } from "effect"
import { LANGUAGES } from "../../../contract/schema/voice.ts"
import { isLoopbackGateway } from "../../gateway/client/gatewayTarget.ts"
import type { SettingsShape } from "../../platform/settings/Settings.ts"
import { isEveryInterface, localOrigin } from "../../platform/settings/startRules.ts"

export interface QuestionsShape {
  readonly say: (line: string) => Effect.Effect<void>
  /** One line; an empty answer means the default. */
  readonly line: (question: string, byDefault: string) => Effect.Effect<string>
  /** One line that isn't echoed. */
  readonly hidden: (question: string) => Effect.Effect<string>
  readonly yesNo: (question: string, byDefault: boolean) => Effect.Effect<boolean>
}

/** Asks the setup questions. */
export class Questions extends Context.Service<Questions, QuestionsShape>()(
  "agent-console/services/machine/setup/Questions"
) {}

/** Asks for a line until the answer is valid; `hint` says what a valid one is. */
export const askUntil =
  (questions: Pick<QuestionsShape, "line" | "say">) =>
  <A>(question: string, byDefault: string, parse: (text: string) => A | undefined, hint: string): Effect.Effect<A> => {
    const ask: Effect.Effect<A> = Effect.flatMap(questions.line(question, byDefault), (answer) => {
      const parsed = parse(answer)
      return parsed === undefined ? Effect.andThen(questions.say(hint), ask) : Effect.succeed(parsed)
    })
    return ask
  }

/** A value that needs no quotes in `.env`. */
export const isPlain = (value: string): boolean => /^[\w.~+/=:@%,?&[\]-]*$/.test(value)

/** Parses a typed port; `undefined` if it isn't one. */
export const parsePort = (text: string): number | undefined =>
  /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65535 ? Number(text) : undefined

/** Parses a typed gateway address to its origin; `undefined` if it isn't one. */
export const parseGatewayUrl = (text: string): string | undefined => {
  const url = text.includes("://") ? text.replace(/^ws/i, "http") : `http://${text}`
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
interface NetworkAddress {
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
  const local = localOrigin(settings)
  if (isLoopbackGateway(settings.gatewayUrl)) return local
  if (isEveryInterface(settings.host)) return originsOf(addresses, settings.port)[0]
  return isLoopbackGateway(local) ? undefined : local
}
