import { pageLanguage } from "../language/catalogue.ts"
import { say as inCatalogue } from "../language/say.ts"
import { BOARD_SENTENCES } from "./sentences/boardSentences.ts"
import { CALL_SENTENCES } from "./sentences/callSentences.ts"
import { FIELD_SENTENCES } from "./sentences/fieldSentences.ts"
import { KNOWLEDGE_SENTENCES } from "./sentences/knowledgeSentences.ts"
import { LINK_SENTENCES } from "./sentences/linkSentences.ts"
import { MACHINE_SENTENCES } from "./sentences/machineSentences.ts"
import { MESSAGE_SENTENCES } from "./sentences/messageSentences.ts"
import { SEARCH_SENTENCES } from "./sentences/searchSentences.ts"
import { serverSaid } from "./sentences/serverSaid.ts"
import { VOICE_SENTENCES } from "./sentences/voiceSentences.ts"

/** What a sentence names: the place of an address or token, what to do there, or whose fault it is. */
const PARTS: ReadonlyArray<string> = [
  serverSaid("set GATEWAY_URL to its address"),
  serverSaid("its address in the console's settings"),
  serverSaid("correct its address in the console's settings"),
  serverSaid("its token in the console's settings"),
  serverSaid("set GATEWAY_TOKEN to the gateway's token and restart the console"),
  serverSaid("give the console that gateway's token"),
  serverSaid("The push service"),
  serverSaid("the model's provider"),
  serverSaid("the provider {name}"),
  serverSaid("this model"),
  serverSaid("the model {name}"),
  serverSaid("the console's .env file"),
  serverSaid(".env, line {line}"),
  serverSaid("environment"),
  serverSaid("30 seconds"),
  serverSaid("60 seconds"),
  serverSaid("2 minutes"),
  serverSaid("10 minutes")
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

interface Known {
  readonly text: string
  readonly pattern: RegExp
}

/** The one with the most words of its own comes first: one that's more general would take its sentence. */
const recognised = (sentences: ReadonlyArray<string>): ReadonlyArray<Known> =>
  sentences
    .toSorted((one, other) => ownLength(other) - ownLength(one))
    .map((text) => ({ text, pattern: patternOf(text) }))

const KNOWN_PARTS = recognised(PARTS)

/** All sentences of the server that the page knows. */
export const SENTENCES: ReadonlyArray<string> = [
  ...LINK_SENTENCES,
  ...CALL_SENTENCES,
  ...MESSAGE_SENTENCES,
  ...BOARD_SENTENCES,
  ...KNOWLEDGE_SENTENCES,
  ...FIELD_SENTENCES,
  ...SEARCH_SENTENCES,
  ...VOICE_SENTENCES,
  ...MACHINE_SENTENCES
]

const KNOWN = recognised(SENTENCES)

/** Names of which one is to be chosen, which the server lists as "a, b or c". */
const choice = (names: string): string =>
  new Intl.ListFormat(pageLanguage, { type: "disjunction" }).format(names.split(/, | or /))

const valueOf = (name: string, value: string): string =>
  name === "levels" || name === "types" ? choice(value) : (sayKnown(KNOWN_PARTS, value) ?? value)

/** Of the sentences that begin with a name, those whose name is a noun; an address keeps its small letter. */
const STARTS_WITH_NOUN = /^\{(?:model|provider)\}/

const sayKnown = (all: ReadonlyArray<Known>, sentence: string): string | null => {
  for (const { pattern, text } of all) {
    const parts = pattern.exec(sentence)
    if (parts === null) continue
    const values = Object.entries(parts.groups ?? {}).map(([name, value]) => [name, valueOf(name, value)])
    const said = inCatalogue(text, Object.fromEntries(values))
    return STARTS_WITH_NOUN.test(text) ? `${said.slice(0, 1).toUpperCase()}${said.slice(1)}` : said
  }
  return null
}

/** Some begin with the field of the request that they're about. */
const FIELD = /^([\w.-]+: )(.+)$/

/** A sentence of the server in the page's language; one that the page doesn't know stays as it is. */
export const translated = (sentence: string): string => {
  const whole = sayKnown(KNOWN, sentence)
  if (whole !== null) return whole
  const [, field = "", rest = ""] = FIELD.exec(sentence) ?? []
  const about = sayKnown(KNOWN, rest)
  return about === null ? sentence : `${field}${about}`
}
