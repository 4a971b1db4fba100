import { pageLanguage } from "../language/catalogue.ts"

/** Whether sentences of the server are already in the page's language. */
export const speaksEnglish: boolean = pageLanguage === "en"

/** A sentence of the console's server in the page's language; as it is while the part that knows it can't be loaded. */
export const inPageLanguage = async (sentence: string): Promise<string> => {
  if (speaksEnglish) return sentence
  const part = await import("./serverSentences.ts").catch(() => null)
  return part?.translated(sentence) ?? sentence
}
