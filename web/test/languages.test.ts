import { assert, beforeAll, describe, it } from "@effect/vitest"
import { catalogueOf, FAILURE_TEXTS, pageTexts } from "../../scripts/pageTexts.ts"
import { LANGUAGES } from "../src/core/settings/settingValues.ts"

const placesIn = (text: string): ReadonlyArray<string> => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort()

/** A counted text may leave out its number where the form says it. */
const countedPlacesIn = (text: string): ReadonlyArray<string> => placesIn(text).filter((place) => place !== "{count}")

/** What's wrong with a text's translation. */
const problemOf = (key: string, translation: unknown, categories: ReadonlyArray<string>): string | null => {
  const english = FAILURE_TEXTS[key] ?? key
  const [one, other] = english.split("|")
  if (other === undefined) {
    if (typeof translation !== "string" || translation.trim() === "") return `${key}: not a text`
    return placesIn(translation).join() === placesIn(english).join() ? null : `${key}: other places in ${translation}`
  }
  if (typeof translation !== "object" || translation === null) return `${key}: no forms`
  const forms = Object.entries(translation)
  if (
    forms
      .map(([category]) => category)
      .sort()
      .join() !== categories.join()
  )
    return `${key}: needs ${categories.join()}`
  const wrong = forms.find(
    ([, form]) => countedPlacesIn(String(form)).join() !== countedPlacesIn(`${one}${other}`).join()
  )
  return wrong === undefined ? null : `${key}: other places in ${wrong[1]}`
}

describe("the languages of the page", () => {
  let texts: ReadonlySet<string>
  let outside: ReadonlyArray<string>

  beforeAll(async () => {
    const found = await pageTexts()
    texts = new Set(found.flatMap((one) => one.texts))
    outside = found.flatMap((one) => one.outside.map((text) => `${one.file}: ${text}`))
  })

  it("find every text of the page in the catalogue", () => {
    assert.deepStrictEqual(outside, [])
  })

  for (const code of LANGUAGES.filter((code) => code !== "en")) {
    it(`${code} translates every text of the page and no other, each with its values and plural forms`, () => {
      const catalogue = catalogueOf(code)
      const categories = [...new Intl.PluralRules(code).resolvedOptions().pluralCategories].sort()
      assert.deepStrictEqual(
        [...texts].filter((key) => !(key in catalogue)),
        []
      )
      assert.deepStrictEqual(
        Object.keys(catalogue).filter((key) => !texts.has(key)),
        []
      )
      assert.deepStrictEqual(
        Object.entries(catalogue)
          .map(([key, translation]) => problemOf(key, translation, categories))
          .filter((problem) => problem !== null),
        []
      )
    })
  }
})
