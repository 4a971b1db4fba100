import { inPageLanguage, speaksEnglish } from "./inPageLanguage.ts"

/**
 * Puts sentences of the console's server that are shown for a while into the page's language. `known` is called when
 * one is, since until then it's shown as it came.
 */
export const createServerWords = (known: () => void) => {
  const words = new Map<string, string>()
  return (sentence: string): string => {
    if (speaksEnglish) return sentence
    const found = words.get(sentence)
    if (found !== undefined) return found
    words.set(sentence, sentence)
    void inPageLanguage(sentence).then((said) => {
      words.set(sentence, said)
      if (said !== sentence) known()
    })
    return sentence
  }
}
