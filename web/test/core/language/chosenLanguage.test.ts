import { readFileSync } from "node:fs"
import { runInNewContext } from "node:vm"
import { assert, describe, it } from "@effect/vitest"
import { LANGUAGES } from "../../../src/core/settings/settingValues.ts"

const script = readFileSync(new URL("../../../public/theme.js", import.meta.url), "utf8")

/** The language and direction that a page gets before its first paint; its catalogue is asked for as well. */
const chosen = (saved: string | null, languages: ReadonlyArray<string>): string => {
  const documentElement = { dataset: {}, lang: "", dir: "" }
  let written = ""
  runInNewContext(script, {
    URL,
    document: {
      currentScript: { src: "http://127.0.0.1/theme.js" },
      documentElement,
      write: (html: string) => {
        written += html
      }
    },
    localStorage: { getItem: () => saved },
    navigator: { languages },
    addEventListener: () => {}
  })
  const { dir, lang } = documentElement
  assert.strictEqual(written, lang === "en" ? "" : `<script defer src="/languages/${lang}.js"></script>`)
  return `${lang} ${dir}`
}

describe("the page's language", () => {
  it("is the first of the browser's languages that the page is written in", () => {
    assert.strictEqual(chosen(null, ["de-AT", "en"]), "de ltr")
    assert.strictEqual(chosen('{"language":"system"}', ["fi", "zh-Hant-TW", "en"]), "zh ltr")
    assert.strictEqual(chosen(null, ["fi"]), "en ltr")
    assert.strictEqual(chosen(null, []), "en ltr")
  })

  it("is the chosen one, if it's known", () => {
    for (const code of LANGUAGES) {
      assert.strictEqual(chosen(JSON.stringify({ language: code }), ["fi"]), `${code} ${code === "ar" ? "rtl" : "ltr"}`)
    }
    assert.strictEqual(chosen('{"language":"tlh"}', ["es-MX"]), "es ltr")
  })

  it("is found whatever is saved", () => {
    for (const saved of ["null", "5", "[]", "{", '{"language":{}}']) assert.strictEqual(chosen(saved, ["fr"]), "fr ltr")
  })
})
