import { readFileSync } from "node:fs"
import { runInNewContext } from "node:vm"
import { assert, describe, it } from "@effect/vitest"
import { textKey } from "../src/core/language/textKey.ts"

const script = readFileSync(new URL("../public/offline.js", import.meta.url), "utf8")

/** What the page's script makes of its texts, given the translations that the language's files have. */
const shown = async (texts: ReadonlyArray<string>, pageTexts: Readonly<Record<string, string>> | undefined) => {
  const elements = texts.map((textContent) => ({ textContent }))
  runInNewContext(script, {
    pageTexts,
    document: { querySelectorAll: () => elements },
    addEventListener: () => undefined,
    setInterval: () => undefined
  })
  await new Promise(setImmediate)
  return elements.map(({ textContent }) => textContent)
}

describe("the page of a console that can't be reached", () => {
  const texts = ["Can't reach the console", "Try again"]

  it("finds its texts under the names they have in the files of the languages", async () => {
    const pageTexts = Object.fromEntries(texts.map((text) => [textKey(text), `${text} (de)`]))
    assert.deepStrictEqual(await shown(texts, pageTexts), ["Can't reach the console (de)", "Try again (de)"])
  })

  it("is in English where they can't be loaded", async () => {
    assert.deepStrictEqual(await shown(texts, undefined), texts)
  })
})
