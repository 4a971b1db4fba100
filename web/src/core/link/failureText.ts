import { type Failure, failureSentence, isFailureCode, type Why } from "../../../../src/contract/failures.ts"
import { fieldsOf, textOf } from "../common/decode.ts"
import { pageLanguage } from "../language/catalogue.ts"
import { say } from "../language/say.ts"

const valuesOf = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(fieldsOf(value)).map(([name, one]) => [name, String(one)]))

/** What the server says, in the page's language by its code; what has no code that this page knows stays as it came. */
export const failureText = <Text extends string | null>(english: Text, why: unknown): Text | string => {
  const { code, values } = fieldsOf<Why>(why)
  const known = textOf(code)
  return english !== null && known !== null && isFailureCode(known)
    ? failureSentence(known, valuesOf(values), say, pageLanguage)
    : english
}

/** The same of a failure that the page found itself. */
export const ownFailureText = ({ message, why }: Failure): string => failureText(message, why)
