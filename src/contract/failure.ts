import { FAILURE_WORDS } from "./failures/words.ts"

/** Words for a name: the value that holds it, and their codes with it and without it. */
const NAMES = {
  theProvider: ["provider", "NAMED_PROVIDER", "UNNAMED_PROVIDER"],
  theModel: ["model", "NAMED_MODEL", "UNNAMED_MODEL"]
} as const

/** English sentences by their codes; `{name}`s in them are places of values. */
type Sentences = Readonly<Record<string, string>>

type Place<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Place<Rest> : never
type NameOf<Name> = Name extends keyof typeof NAMES ? (typeof NAMES)[Name][0] : never
type Needed<Text extends string> = Exclude<Place<Text>, "given" | keyof typeof NAMES>
/** `field` is the part of a request that a sentence is about, `line` the one of a setting. */
type Optional<Text extends string> = NameOf<Place<Text>> | "given" | "field" | "line"

/** The values of an English sentence. */
type ValuesOf<Text extends string> = {
  readonly [Name in Needed<Text>]: string | number
} & { readonly [Name in Exclude<Optional<Text>, Needed<Text>>]?: string | number | undefined }

/** Why something failed, for programs: the sentence is made of it in any language. */
export type Why = {
  /** A code of `FAILURES`; another version of the console may have others. */
  readonly code: string
  readonly values?: Readonly<Record<string, string | number>>
}

/** Why something failed, in English and as a code; without one, it's in English only. */
export type Failure = {
  readonly message: string
  readonly why?: Why
}

/** Lists of which one is to be chosen; their items are joined by commas. */
const CHOICES: ReadonlySet<string> = new Set(["levels", "types"])

const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place)

/** The sentence of a failure in the language of `textOf`, which has the texts of codes; undefined if it lacks this one. */
export const failureSentence = (
  { code, values = {} }: Why,
  textOf: (code: string) => string | undefined,
  locale: string
): string | undefined => {
  const text = textOf(code)
  if (text === undefined) return undefined
  const given = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
  const shown: Record<string, string> = { given: "" }
  for (const [name, value] of Object.entries(given)) {
    shown[name] = filled(textOf(value) ?? value, given)
    if (name === "given") shown[name] = ` ${value}`
    if (CHOICES.has(name)) shown[name] = new Intl.ListFormat(locale, { type: "disjunction" }).format(value.split(", "))
  }
  for (const [place, [name, named, unnamed]] of Object.entries(NAMES)) {
    const value = given[name]
    shown[place] = value === undefined ? (textOf(unnamed) ?? "") : filled(textOf(named) ?? "{name}", { name: value })
  }
  const sentence = filled(text, shown)
  return given.field === undefined ? sentence : `${given.field}: ${sentence}`
}

/** The texts of codes and of words among values, in English. */
export const englishText =
  (sentences: Sentences) =>
  (code: string): string | undefined => {
    const texts: Sentences = Object.hasOwn(sentences, code) ? sentences : FAILURE_WORDS
    return Object.hasOwn(texts, code) ? texts[code] : undefined
  }

/** Makes failures with the codes of these sentences. */
export const failuresOf = <const Texts extends Sentences>(sentences: Texts) => {
  const textOf = englishText(sentences)
  return <const Code extends keyof Texts & string>(
    code: Code,
    ...[given]: object extends ValuesOf<Texts[Code]>
      ? [values?: ValuesOf<Texts[Code]>]
      : [values: ValuesOf<Texts[Code]>]
  ): Failure => {
    const values: Record<string, string | number> = {}
    for (const [name, value] of Object.entries<string | number | undefined>(given ?? {})) {
      if (value !== undefined) values[name] = value
    }
    const why: Why = Object.keys(values).length === 0 ? { code } : { code, values }
    return { message: failureSentence(why, textOf, "en-GB") ?? "", why }
  }
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

/** A failure as the `detail` of something that's kept. */
export const detailOf = ({ message, why }: Failure): { readonly detail: string; readonly why?: Why } =>
  why === undefined ? { detail: message } : { detail: message, why }
