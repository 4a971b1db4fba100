import { say as inCatalogue } from "../language/say.ts"

/** A sentence of the console's server, with `{name}`s for what changes in it; the catalogues have it under this text. */
const serverSaid = (sentence: string): string => sentence

/** What the server says about its link to the gateway, which the page shows as it comes. */
const SENTENCES: ReadonlyArray<string> = [
  serverSaid("Connecting to the gateway."),
  serverSaid("The gateway is still starting."),
  serverSaid("The gateway has stopped responding."),
  serverSaid("The gateway is shutting down or restarting."),
  serverSaid("The connection to the gateway was lost."),
  serverSaid("No gateway is listening at {address}: start it, or {advice}."),
  serverSaid("Couldn't find the host of {address}: check {setting} and the network."),
  serverSaid("Couldn't make a secure connection to {address}: check its certificate and {setting}."),
  serverSaid("Couldn't reach the gateway at {address}: check that it's running, {setting} and the network."),
  serverSaid("{address} answers, but it isn't a gateway (HTTP {status}): check {setting}."),
  serverSaid(
    "{address} accepts connections but doesn't respond like a gateway: check {setting}, or restart the gateway."
  ),
  serverSaid(
    "The gateway didn't answer {method} in time: try again, and check the gateway's log if it keeps happening."
  ),
  serverSaid("No gateway token is configured: set GATEWAY_TOKEN and restart the console."),
  serverSaid("The gateway refused the token: {advice}.")
]

/** What a sentence names as the place of an address or token, and what to do there. */
const PLACES: ReadonlyArray<string> = [
  serverSaid("set GATEWAY_URL to its address"),
  serverSaid("its address in the console's settings"),
  serverSaid("correct its address in the console's settings"),
  serverSaid("set GATEWAY_TOKEN to the gateway's token and restart the console"),
  serverSaid("give the console that gateway's token")
]

const escaped = (text: string): string => text.replace(/[.*+?^$()|[\]\\]/g, "\\$&")

/** Recognises a sentence and names its parts. */
const patternOf = (sentence: string): RegExp => new RegExp(`^${escaped(sentence).replace(/\{(\w+)\}/g, "(?<$1>.+?)")}$`)

const PATTERNS = SENTENCES.map((sentence) => ({ sentence, pattern: patternOf(sentence) }))

/** A sentence of the server in the page's language; one that the page doesn't know stays as it is. */
export const translated = (sentence: string): string => {
  for (const known of PATTERNS) {
    const parts = known.pattern.exec(sentence)
    if (parts === null) continue
    const values = Object.entries(parts.groups ?? {}).map(([name, value]) => [
      name,
      PLACES.includes(value) ? inCatalogue(value) : value
    ])
    return inCatalogue(known.sentence, Object.fromEntries(values))
  }
  return sentence
}
