import { BOARD_FAILURES } from "./failures/board.ts"
import { CALL_FAILURES } from "./failures/calls.ts"
import { CONNECTION_FAILURES } from "./failures/connection.ts"
import { FIELD_FAILURES } from "./failures/fields.ts"
import { KNOWLEDGE_FAILURES } from "./failures/knowledge.ts"
import { MACHINE_FAILURES } from "./failures/machine.ts"
import { MESSAGE_FAILURES } from "./failures/messages.ts"
import { VOICE_FAILURES } from "./failures/voice.ts"

/** Every code with its English sentence; the catalogues of the other languages have their sentences under it. */
export const FAILURES = {
  ...BOARD_FAILURES,
  ...CALL_FAILURES,
  ...CONNECTION_FAILURES,
  ...FIELD_FAILURES,
  ...KNOWLEDGE_FAILURES,
  ...MACHINE_FAILURES,
  ...MESSAGE_FAILURES,
  ...VOICE_FAILURES
} as const

export type FailureCode = keyof typeof FAILURES

/** Values that are words themselves, by their codes. */
export const FAILURE_WORDS = {
  SET_GATEWAY_URL: "set GATEWAY_URL to its address",
  ADDED_ADDRESS: "its address in the console's settings",
  CORRECT_ADDRESS: "correct its address in the console's settings",
  ADDED_TOKEN: "its token in the console's settings",
  SET_TOKEN: "set GATEWAY_TOKEN to the gateway's token and restart the console",
  GIVE_TOKEN: "give the console that gateway's token",
  PUSH_SERVICE: "The push service",
  ENV_FILE: "the console's .env file",
  ENV_LINE: ".env, line {line}",
  ENVIRONMENT: "environment",
  "30 seconds": "30 seconds",
  "60 seconds": "60 seconds",
  "2 minutes": "2 minutes",
  "10 minutes": "10 minutes"
} as const

/** Words for a name: the value that holds it, with it, and without it. */
export const FAILURE_NAMES = {
  theProvider: ["provider", "the provider {name}", "the model's provider"],
  theModel: ["model", "the model {name}", "this model"]
} as const

type Place<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Place<Rest> : never
type NameOf<Name> = Name extends keyof typeof FAILURE_NAMES ? (typeof FAILURE_NAMES)[Name][0] : never
type Needed<Code extends FailureCode> = Exclude<Place<(typeof FAILURES)[Code]>, "given" | keyof typeof FAILURE_NAMES>
/** `field` is the part of a request that a sentence is about, `line` the one of a setting. */
type Optional<Code extends FailureCode> = NameOf<Place<(typeof FAILURES)[Code]>> | "given" | "field" | "line"

/** The values of a code. */
export type FailureValues<Code extends FailureCode> = {
  readonly [Name in Needed<Code>]: string | number
} & { readonly [Name in Exclude<Optional<Code>, Needed<Code>>]?: string | number | undefined }

/** Why something failed, for programs: the sentence is made of it in any language. */
export type Why = {
  /** A `FailureCode`; another version of the console may have others. */
  readonly code: string
  readonly values?: Readonly<Record<string, string | number>>
}

/** Why something failed, in English and as a code; without one, it's in English only. */
export type Failure = {
  readonly message: string
  readonly why?: Why
}

/** Puts values into the `{name}`s of a text. */
type Say = (text: string, values: Readonly<Record<string, string>>) => string

const inEnglish: Say = (text, values) => text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place)

export const isFailureCode = (code: string): code is FailureCode => Object.hasOwn(FAILURES, code)

const isWord = (value: string): value is keyof typeof FAILURE_WORDS => Object.hasOwn(FAILURE_WORDS, value)

/** Lists of which one is to be chosen; their items are joined by commas. */
const CHOICES: ReadonlySet<string> = new Set(["levels", "types"])

/** The sentence of a failure: `say` has a text in some language, with values in it. */
export const failureSentence = (
  code: FailureCode,
  values: NonNullable<Why["values"]> = {},
  say: Say = inEnglish,
  locale = "en-GB"
): string => {
  const given: Record<string, string> = {}
  for (const [name, value] of Object.entries(values)) given[name] = String(value)
  const said: Record<string, string> = { given: "" }
  for (const [name, value] of Object.entries(given)) {
    said[name] = isWord(value) ? say(FAILURE_WORDS[value], given) : value
    if (name === "given") said[name] = ` ${value}`
    if (CHOICES.has(name)) said[name] = new Intl.ListFormat(locale, { type: "disjunction" }).format(value.split(", "))
  }
  for (const [place, [name, named, unnamed]] of Object.entries(FAILURE_NAMES)) {
    const value = given[name]
    said[place] = value === undefined ? say(unnamed, {}) : say(named, { name: value })
  }
  const sentence = say(FAILURES[code], said)
  return given.field === undefined ? sentence : `${given.field}: ${sentence}`
}

/** A failure with this code. */
export const failure = <const Code extends FailureCode>(
  code: Code,
  ...[given]: object extends FailureValues<Code> ? [values?: FailureValues<Code>] : [values: FailureValues<Code>]
): Failure => {
  const values: Record<string, string | number> = {}
  for (const [name, value] of Object.entries<string | number | undefined>(given ?? {})) {
    if (value !== undefined) values[name] = value
  }
  const isPlain = Object.keys(values).length === 0
  return { message: failureSentence(code, values), why: isPlain ? { code } : { code, values } }
}

/** The failure of an error that has more. */
export const failureOf = ({ message, why }: Failure): Failure => (why === undefined ? { message } : { message, why })

/** The same failure, of a field of a request. */
export const ofField = (field: string, { message, why }: Failure): Failure => ({
  message: `${field}: ${message}`,
  ...(why === undefined ? {} : { why: { ...why, values: { ...why.values, field } } })
})

/** A failure as the `reason` of an answer. */
export const reasonOf = ({ message, why }: Failure): { readonly reason: string; readonly why?: Why } =>
  why === undefined ? { reason: message } : { reason: message, why }

/** A failure as the `error` of something that's kept. */
export const errorOf = ({ message, why }: Failure): { readonly error: string; readonly why?: Why } =>
  why === undefined ? { error: message } : { error: message, why }
