import type { Why } from "../../../../src/contract/failure.ts"
import { failureText } from "./failureText.ts"

let english: ((why: Why) => string | undefined) | undefined
let isLoading = false
/** Who is told when they are there. */
const waiting = new Set<() => void>()

/**
 * The sentence of a failure that comes as a code alone. The English ones arrive with the first failure that needs one:
 * `arrived` is called then, and the sentence is empty until that.
 */
export function whySentence(why: Why, arrived: () => void): string {
  const text = failureText("", why)
  if (text !== "" || english !== undefined) return text || (english?.(why) ?? "")
  waiting.add(arrived)
  if (isLoading) return ""
  isLoading = true
  import("../../../../src/contract/failures.ts").then(
    ({ englishSentence }) => {
      english = englishSentence
      for (const tell of waiting) tell()
      waiting.clear()
    },
    () => {
      isLoading = false
    }
  )
  return ""
}
