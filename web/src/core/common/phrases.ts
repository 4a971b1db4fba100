import { markUnseen } from "../../../../src/contract/unseenCharacters.ts"
import { pageLocale, say } from "../language/say.ts"

/** A title in a sentence, shortened if it is long. */
export const quotedTitle = (title: string): string => {
  const seen = markUnseen(title, "prose")
  return say("“{title}”", { title: seen.length > 60 ? `${seen.slice(0, 60)}…` : seen })
}

/** What the server says in half a sentence, as a whole one; what is one already stays as it is. */
export const asSentence = (text: string): string => {
  const capital = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.:!?。！？؟]$/.test(capital) ? capital : `${capital}.`
}

/** Names in a row, such as "a, b, c". */
export const listText = (names: ReadonlyArray<string>, locale: string = pageLocale): string =>
  new Intl.ListFormat(locale, { style: "narrow" }).format(names)

/** Names inside a sentence, such as "a, b and c". */
export const listInSentence = (names: ReadonlyArray<string>, locale: string = pageLocale): string =>
  new Intl.ListFormat(locale).format(names)
