import { pageLanguage } from "../language/catalogue.ts"
import { say as inCatalogue } from "../language/say.ts"
import { CALL_SENTENCES } from "./sentences/callSentences.ts"
import { LINK_SENTENCES } from "./sentences/linkSentences.ts"
import { MESSAGE_SENTENCES } from "./sentences/messageSentences.ts"
import { serverSaid } from "./sentences/serverSaid.ts"

/** What a sentence names in its middle: the place of an address or token, what to do there, or who. */
const PARTS: ReadonlyArray<string> = [
  serverSaid("set GATEWAY_URL to its address"),
  serverSaid("its address in the console's settings"),
  serverSaid("correct its address in the console's settings"),
  serverSaid("its token in the console's settings"),
  serverSaid("set GATEWAY_TOKEN to the gateway's token and restart the console"),
  serverSaid("give the console that gateway's token"),
  serverSaid("The push service")
]

const escaped = (text: string): string => text.replace(/[.*+?^$()|[\]\\]/g, "\\$&")

/** Recognises a sentence and names its parts. */
const patternOf = (sentence: string): RegExp =>
  new RegExp(
    `^${escaped(sentence)
      .replace("{given}", "(?<given>(?: .+?)?)")
      .replace(/\{(min|max)\}/g, "(?<$1>-?\\d+)")
      .replace(/\{(\w+)\}/g, "(?<$1>.+?)")}$`
  )

const ownLength = (sentence: string): number => sentence.replace(/\{\w+\}/g, "").length

/** The one with the most words of its own comes first: one that's more general would take its sentence. */
const PATTERNS = [...LINK_SENTENCES, ...CALL_SENTENCES, ...MESSAGE_SENTENCES]
  .toSorted((one, other) => ownLength(other) - ownLength(one))
  .map((sentence) => ({ sentence, pattern: patternOf(sentence) }))

/** Names of which one is to be chosen, which the server lists as "a, b or c". */
const choice = (names: string): string =>
  new Intl.ListFormat(pageLanguage, { type: "disjunction" }).format(names.split(/, | or /))

const valueOf = (name: string, value: string): string => {
  if (name === "levels") return choice(value)
  return PARTS.includes(value) ? inCatalogue(value) : value
}

const known = (sentence: string): string | null => {
  for (const { pattern, sentence: text } of PATTERNS) {
    const parts = pattern.exec(sentence)
    if (parts === null) continue
    const values = Object.entries(parts.groups ?? {}).map(([name, value]) => [name, valueOf(name, value)])
    return inCatalogue(text, Object.fromEntries(values))
  }
  return null
}

/** Some begin with the field of the request that they're about. */
const FIELD = /^([\w.-]+: )(.+)$/

/** A sentence of the server in the page's language; one that the page doesn't know stays as it is. */
export const translated = (sentence: string): string => {
  const whole = known(sentence)
  if (whole !== null) return whole
  const [, field = "", rest = ""] = FIELD.exec(sentence) ?? []
  const about = known(rest)
  return about === null ? sentence : `${field}${about}`
}
