/** What a text is in another language; a text with a count has one form for each of the language's plural categories. */
export type Translation = string | Partial<Record<Intl.LDMLPluralRule, string>>

/** Translations by their English text, `one|other` for a text with a count. */
export type Catalogue = Readonly<Record<string, Translation | undefined>>

declare global {
  /** The file of the page's language puts its texts here before any module runs. */
  var pageTexts: Catalogue | undefined
}

/** The page's language, chosen by `public/theme.js` before the first paint. Outside a page it's English. */
export const pageLanguage: string = globalThis.document?.documentElement.lang || "en"

/** Nothing in English, and where the file couldn't be loaded: the page in English is better than none. */
export const catalogue: Catalogue = globalThis.pageTexts ?? {}
