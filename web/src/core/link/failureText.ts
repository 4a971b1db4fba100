import { type Failure, failureSentence, type Why } from "../../../../src/contract/failure.ts"
import { catalogue, pageLanguage } from "../language/say.ts"

/** The text of a code in the page's language. A page in English has none: everything arrives in English. */
const textOf = (code: string): string | undefined => {
  const text = catalogue[`why:${code}`]
  return typeof text === "string" ? text : undefined
}

/** What failed, in the page's language by its code; what has no code that this page knows stays in English. */
export const failureText = <Text extends string | null>(english: Text, why: Why | undefined): Text | string =>
  (english === null || why === undefined ? undefined : failureSentence(why, textOf, pageLanguage)) ?? english

/** The same of a failure that the page found itself. */
export const ownFailureText = ({ message, why }: Failure): string => failureText(message, why)
