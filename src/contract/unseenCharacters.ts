/** What tells a text that means what it looks like from one that a machine reads. */
export type TextUse =
  /** A command, a name or an address: every character counts. */
  | "exact"
  /** Sentences, in which no-break and wide spaces are as good as others. */
  | "prose"

/** Shown as one picture by every browser: pictures joined, coloured or asked for by a selector. */
const PICTURES =
  /(?:\p{Extended_Pictographic}[\u{1F3FB}-\u{1F3FF}]?\uFE0F?)(?:\u200D\p{Extended_Pictographic}[\u{1F3FB}-\u{1F3FF}]?\uFE0F?)*|[0-9#*]\uFE0F\u20E3/u
/** Joiners and selectors that change the letters beside them, as these scripts are written. */
const LETTERS =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}][\u200C\u200D](?=[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}])|[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}][\u200C\u200D]|\p{Script=Han}[\uFE00-\uFE02\u{E0100}-\u{E01EF}]/u
/** Controls, what reorders or joins, what has no width, what is blank, halves of pairs, and every space but the usual one. */
const UNSEEN = /(?!\r\n)(?![ \t\n])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u{1D159}]/u

const ANY = new RegExp(UNSEEN.source, "u")
const EACH = new RegExp(`(${PICTURES.source}|${LETTERS.source})|(${UNSEEN.source})`, "gu")

/** Assigned to nobody, or to whoever likes: drawn as a box with its number, or as a picture of the font. */
const DRAWN = /[\p{Co}\p{Cn}]/u
const IGNORED = /\p{Default_Ignorable_Code_Point}/u
const SPACES_OF_PROSE: ReadonlySet<string> = new Set(["\u00a0", "\u202f", "\u3000"])

const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`

const isHarmless = (character: string, use: TextUse): boolean =>
  (use === "prose" && SPACES_OF_PROSE.has(character)) || (DRAWN.test(character) && !IGNORED.test(character))

/** What `markUnseen` puts in place of such a character. */
export const UNSEEN_MARK = /⟦U\+[0-9A-F]{4,6}⟧/g

/**
 * A text with a mark such as ⟦U+202E⟧ in place of every character that can't be seen or that changes the order of
 * others, so that nobody allows something else than what they read. Emoji and joiners between the letters that need them stay.
 */
export const markUnseen = (text: string, use: TextUse = "exact"): string =>
  ANY.test(text)
    ? text.replace(EACH, (whole, seen: string | undefined) =>
        seen !== undefined || isHarmless(whole, use) ? whole : `⟦${codePoint(whole)}⟧`
      )
    : text

/** The code points of such characters in a text, each once, in the order of their first place. */
export const unseenIn = (text: string, use: TextUse = "exact"): ReadonlyArray<string> => {
  const marked = new Set<string>()
  if (ANY.test(text))
    for (const [whole, seen] of text.matchAll(EACH))
      if (seen === undefined && !isHarmless(whole, use)) marked.add(codePoint(whole))
  return [...marked]
}
