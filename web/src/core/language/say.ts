/** What a text is in another language; a text with a count has one form for each of the language's plural categories. */
type Translation = string | Partial<Record<Intl.LDMLPluralRule, string>>

/** Translations by their English text, `one|other` for a text with a count. */
type Catalogue = Readonly<Record<string, Translation | undefined>>

declare global {
  /** The file of the page's language puts its texts here before any module runs. */
  var pageTexts: Catalogue | undefined
}

/** The page's language, chosen by `public/theme.js` before the first paint. Outside a page it's English. */
export const pageLanguage: string = globalThis.document?.documentElement.lang || "en"

/** Nothing in English, and where the file couldn't be loaded: the page in English is better than none. */
export const catalogue: Catalogue = globalThis.pageTexts ?? {}

/** The browser's locale for a language, such as "de-AT" for "de"; else the language itself. */
export const localeFor = (language: string, preferred: ReadonlyArray<string>): string =>
  preferred.find((tag) => tag.split("-")[0] === language) ?? language

/** How the page writes dates and numbers: in its language, and as the browser's region does it. */
export const pageLocale: string = localeFor(pageLanguage, globalThis.navigator?.languages ?? [])

/** What stands for the `{name}`s of a text. Numbers are written as the language does it. */
type Values = Readonly<Record<string, string | number>>

/** A stretch of text, or the name of what stands there. */
interface TextPiece {
  readonly text?: string
  readonly name?: string
}

/** The page's texts in one language. One without a translation stays English. */
interface Texts {
  say(text: string, values?: Values): string
  sayCount(count: number, one: string, other: string, values?: Values): string
  piecesOf(text: string): ReadonlyArray<TextPiece>
}

const PLACE = /\{(\w+)\}/g

/** Texts out of a catalogue, with plurals and numbers as a locale has them. */
export const createTexts = (catalogue: Catalogue, locale: string): Texts => {
  const plurals = new Intl.PluralRules(locale)
  const numbers = new Intl.NumberFormat(locale)

  const shown = (value: string | number): string => (typeof value === "number" ? numbers.format(value) : value)
  const filled = (text: string, values: Values): string =>
    text.replace(PLACE, (place, name: string) => {
      const value = values[name]
      return value === undefined ? place : shown(value)
    })
  const translated = (text: string): string => {
    const found = catalogue[text]
    return typeof found === "string" ? found : text
  }

  return {
    say: (text, values) => (values === undefined ? translated(text) : filled(translated(text), values)),
    sayCount: (count, one, other, values) => {
      const found = catalogue[`${one}|${other}`]
      const forms = typeof found === "object" ? found : { one, other }
      return filled(forms[plurals.select(count)] ?? forms.other ?? other, { ...values, count })
    },
    piecesOf: (text) =>
      translated(text)
        .split(/(\{\w+\})/)
        .filter((piece) => piece !== "")
        .map((piece) => (/^\{\w+\}$/.test(piece) ? { name: piece.slice(1, -1) } : { text: piece }))
  }
}

/**
 * The texts of the page in its language.
 *
 * `say("{name} was removed.", { name })` is a text; the English one is a literal, so that a check finds it.
 * `sayCount(cards, "{count} card", "{count} cards")` is one with a count, in the form that the language has for it.
 * `piecesOf` gives a text in pieces; `ui/Said.tsx` puts elements in the places of its `{name}`s.
 */
export const { say, sayCount, piecesOf } = createTexts(catalogue, pageLocale)
