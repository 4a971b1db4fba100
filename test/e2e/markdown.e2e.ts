import { fileURLToPath } from "node:url"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { build } from "vite"
import { XSS_CORPUS } from "../../web/test/core/support/xssCorpus.ts"
import { withPage } from "./support/browser.ts"
import { useBrowser } from "./support/useConsole.ts"

const ORDINARY = [
  '# Title\n\ntext with **bold**, *slant*, ~~gone~~, `code` and "quotes"',
  "- [x] done\n- [ ] open\n\n3. three\n4. four",
  "| a | b |\n|:--|--:|\n| 1 | 2 |",
  "```ts\nconst a: string = '<b>'\n```",
  "[a](https://x.y/?q=1&r=2) <me@x.org> ![p](/tmp/a b.png) ![p](https://x.y/z.png)",
  "![dot](data:image/png;base64,iVBORw0KGgo=)",
  "- אחת\n- שתיים\n\n| ا | ب |\n|---|---|\n| 1 | 2 |\n\n> ציטוט",
  "<details open>\n<summary>More</summary>\n\n- a\n\n</details>",
  "Text.[^1]\n\n[^1]: Note",
  "> quoted\n\n---\n\nline\nbreak"
]

/** The browser's own sanitiser, and the library for browsers without one: both have to let through and stop the same. */
const SANITISERS = [
  { name: "the browser's sanitiser", expression: "Markdown.nativeSanitizer()" },
  { name: "the sanitising library", expression: "Markdown.purifyHtml" }
]

const browser = useBrowser()
let script: string

beforeAll(async () => {
  const built = await build({
    configFile: false,
    logLevel: "silent",
    build: {
      write: false,
      lib: {
        entry: fileURLToPath(new URL("support/markdownPage.ts", import.meta.url)),
        formats: ["iife"],
        name: "Markdown"
      }
    }
  })
  const [output] = Array.isArray(built) ? built : [built]
  const chunk = output !== undefined && "output" in output ? output.output[0] : undefined
  script = chunk?.type === "chunk" ? chunk.code : ""
})

/** Runs an expression over every text, with the renderer and the sanitiser in reach. */
async function inPage(page: Page, texts: ReadonlyArray<string>, expression: string): Promise<ReadonlyArray<unknown>> {
  await page.evaluate(script)
  return page.evaluate(`Promise.all(${JSON.stringify(texts)}.map(async (text) => { ${expression} }))`)
}

/** Puts HTML into the page and returns the parts that could execute. */
const DANGERS = `
  const box = document.body.appendChild(document.createElement("div"))
  box.innerHTML = html
  await new Promise((done) => setTimeout(done, 20))
  const found = [...box.querySelectorAll("*")].flatMap((element) => [
    ...(/^(script|style|iframe|object|embed|form|svg|math|base|meta|link|template)$/i.test(element.tagName) ? [element.tagName] : []),
    ...[...element.attributes].filter(({ name, value }) =>
      /^on|^style$|^srcdoc$|^formaction$/i.test(name) ||
      (/^(href|src)$/i.test(name) && !/^(https?:|mailto:|data:image\\/(png|jpeg|gif|webp);|\\/api\\/files\\?)/.test(value))
    ).map(({ name, value }) => name + "=" + value)
  ])
  box.remove()
  return [...found, ...(globalThis.alerted ? ["alert"] : [])]`

const guarded = {
  prepare: async (page: Page) => {
    await page.addInitScript("globalThis.alert = () => { globalThis.alerted = true }")
  }
}

describe("markdown in a browser", () => {
  it.each(SANITISERS)("ordinary texts come through $name as they were rendered", ({ expression }) =>
    withPage(browser, guarded, async (page) => {
      const same = await inPage(
        page,
        ORDINARY,
        `const [a, b] = [document.createElement("div"), document.createElement("div")]
         a.innerHTML = Markdown.renderMarkdown(text)
         b.innerHTML = (${expression})(Markdown.renderMarkdown(text))
         return a.isEqualNode(b) ? "same" : a.innerHTML + " became " + b.innerHTML`
      )
      assert.deepStrictEqual(
        same,
        ORDINARY.map(() => "same")
      )
    })
  )

  it("nothing of the injection corpus acts, already without the sanitiser", () =>
    withPage(browser, { ...guarded, expectedErrors: [/./] }, async (page) => {
      const dangers = await inPage(page, XSS_CORPUS, `const html = Markdown.renderMarkdown(text); ${DANGERS}`)
      assert.deepStrictEqual(
        dangers,
        XSS_CORPUS.map(() => [])
      )
    }))

  it.each(SANITISERS)("$name alone stops the raw corpus, too", ({ expression }) =>
    withPage(browser, { ...guarded, expectedErrors: [/./] }, async (page) => {
      const dangers = await inPage(page, XSS_CORPUS, `const html = (${expression})(text); ${DANGERS}`)
      // A picture of this address that does not exist does nothing.
      const isHarmless = (danger: unknown) => typeof danger === "string" && danger.startsWith("src=x")
      const srcs = dangers.map((found) =>
        Array.isArray(found) ? found.filter((danger) => !isHarmless(danger)) : found
      )
      assert.deepStrictEqual(
        srcs,
        XSS_CORPUS.map(() => [])
      )
    })
  )
})
