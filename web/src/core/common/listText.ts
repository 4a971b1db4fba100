import { pageLocale } from "../language/pageLocale.ts"

/** Names in a row, such as "a, b, c". */
export const listText = (names: ReadonlyArray<string>, locale: string = pageLocale): string =>
  new Intl.ListFormat(locale, { style: "narrow" }).format(names)

/** Names inside a sentence, such as "a, b and c". */
export const listInSentence = (names: ReadonlyArray<string>, locale: string = pageLocale): string =>
  new Intl.ListFormat(locale).format(names)
