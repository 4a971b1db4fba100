import { pageLanguage } from "./catalogue.ts"

/** The browser's locale for a language, such as "de-AT" for "de"; else the language itself. */
export const localeFor = (language: string, preferred: ReadonlyArray<string>): string =>
  preferred.find((tag) => tag.split("-")[0] === language) ?? language

/** How the page writes dates and numbers: in its language, and as the browser's region does it. */
export const pageLocale: string = localeFor(pageLanguage, globalThis.navigator?.languages ?? [])
