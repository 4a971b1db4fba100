import { type Failure, failureSentence, type Why } from "../../../../src/contract/failure.ts"
import { fieldsOf } from "../common/decode.ts"
import { catalogue, pageLanguage } from "../language/say.ts"

/** The text of a code in the page's language. A page in English has none: everything arrives in English. */
const textOf = (code: string): string | undefined => {
  const text = catalogue[`why:${code}`]
  return typeof text === "string" ? text : undefined
}

const whyOf = (why: unknown): Why | null => {
  const { code, values } = fieldsOf<Why>(why)
  const texts = Object.entries(fieldsOf(values)).map(([name, value]) => [name, String(value)])
  return typeof code === "string" ? { code, values: Object.fromEntries(texts) } : null
}

/** What failed, in the page's language by its code; what has no code that this page knows stays in English. */
export const failureText = <Text extends string | null>(english: Text, why: unknown): Text | string => {
  const known = english === null ? null : whyOf(why)
  return known === null ? english : (failureSentence(known, textOf, pageLanguage) ?? english)
}

/** The same of a failure that the page found itself. */
export const ownFailureText = ({ message, why }: Failure): string => failureText(message, why)
