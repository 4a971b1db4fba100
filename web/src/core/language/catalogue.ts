/** What a text is in another language; a text with a count has one form for each of the language's plural categories. */
export type Translation = string | Partial<Record<Intl.LDMLPluralRule, string>>

/** Translations by the `textKey` of their English text, `one|other` for a text with a count. */
export type Catalogue = Readonly<Record<string, Translation | undefined>>

declare global {
  /** `public/theme.js` has the texts of the first screen here before any module of a page that isn't in English. */
  var pageTexts: Catalogue | undefined
  /** Settles once the texts of everything else are there, too, or can't be loaded. */
  var moreTexts: Promise<unknown> | undefined
}

/** The page's language, chosen by `public/theme.js` before the first paint. Outside a page it's English. */
export const pageLanguage: string = globalThis.document?.documentElement.lang || "en"

/** Nothing in English, and where the file couldn't be loaded: the page in English is better than none. */
export const catalogue: Catalogue = globalThis.pageTexts ?? {}

/** Loads a part of the page that isn't in the first screen, once its texts are there: its constants may hold some. */
export const withTexts = <A>(load: () => Promise<A>): Promise<A> =>
  globalThis.moreTexts === undefined ? load() : globalThis.moreTexts.then(load)
