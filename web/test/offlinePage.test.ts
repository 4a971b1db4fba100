import { readFileSync } from "node:fs"
import { runInNewContext } from "node:vm"
import { assert, describe, it } from "@effect/vitest"

const script = readFileSync(new URL("../public/offline.js", import.meta.url), "utf8")

/** What the page's script makes of its texts, given the translations that the language's file has. */
const shown = (texts: ReadonlyArray<string>, pageTexts: Readonly<Record<string, string>> | undefined) => {
  const elements = texts.map((textContent) => ({ textContent }))
  runInNewContext(script, {
    pageTexts,
    document: { querySelectorAll: () => elements },
    addEventListener: () => undefined,
    setInterval: () => undefined
  })
  return elements.map(({ textContent }) => textContent)
}

describe("the page of a console that can't be reached", () => {
  const texts = ["Can't reach the console", "Try again"]

  it("finds its texts in the file of the language", () => {
    const pageTexts = Object.fromEntries(texts.map((text) => [text, `${text} (de)`]))
    assert.deepStrictEqual(shown(texts, pageTexts), ["Can't reach the console (de)", "Try again (de)"])
  })

  it("is in English where they can't be loaded", () => {
    assert.deepStrictEqual(shown(texts, undefined), texts)
  })
})
