import { assert, describe, it } from "@effect/vitest"
import { createMarkdown } from "../../../src/core/text/MarkdownRenderer.ts"
import { createMath } from "../../../src/core/text/math/createMath.ts"
import { typeset } from "../../../src/core/text/math/typeset.ts"
import { XSS_CORPUS } from "../support/xssCorpus.ts"

let loads = 0

const mathMarkdown = async () => {
  const markdown = createMarkdown({
    sanitize: (html) => html,
    loadHighlight: async () => (code) => code,
    loadMath: async (onArrival) =>
      createMath(async () => {
        loads++
        return typeset
      }, onArrival)
  })
  const redrawn = () => new Promise<void>((resolve) => markdown.onColours(resolve))
  return { markdown, redrawn }
}

const { markdown, redrawn } = await mathMarkdown()
markdown.render("$", false)
await redrawn()

const htmlOf = (text: string, streaming = false) =>
  markdown
    .render(text, streaming)
    .map(({ html }) => html)
    .join("")

/** The formulas that were found, as their sources. */
const formulasIn = (text: string, streaming = false) =>
  [...htmlOf(text, streaming).matchAll(/<annotation encoding="application\/x-tex">([^<]*)</g)].map(([, tex = ""]) =>
    tex.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&").replaceAll("&#x27;", "'")
  )

describe("formulas", () => {
  it("are typeset once what does so has arrived, which is asked for with the first", async () => {
    assert.strictEqual(loads, 0)
    assert.include(htmlOf("let $a<b$"), '<code class="math">a&lt;b</code>')
    await redrawn()
    assert.strictEqual(loads, 1)
    assert.include(htmlOf("let $a<b$"), '<span class="katex">')
    assert.include(htmlOf("let $a<b$"), "<math ")
  })

  it.each([
    ["an $x$ here", ["x"]],
    ["$x$", ["x"]],
    ["($x$), $y$.", ["x", "y"]],
    ["$5 + 3 = 8$", ["5 + 3 = 8"]],
    ["$a_1 * b_1 * c$", ["a_1 * b_1 * c"]],
    ["公式$x^2$的", ["x^2"]],
    ["$\\$5$", ["\\$5"]],
    ["inside $$x^2$$ a line", ["x^2"]],
    ["$$\na\n= b\n- c\n$$", ["a\n= b\n- c"]],
    ["\\[\nx_1 y_1\n\\]", ["x_1 y_1"]],
    ["so \\(x\\) and \\[y\\]", ["x", "y"]],
    ["- one $x$\n- $$y$$", ["x", "y"]],
    ["| a |\n|---|\n| $x$ |", ["x"]],
    ["**$x$**", ["x"]]
  ])("%j", (text, expected) => {
    assert.deepStrictEqual(formulasIn(text), expected)
  })

  it.each([
    "from $5 to $10",
    "$5 and $10",
    "$5-$10, or $1,000/$2,000",
    "US$5 and AU$6",
    "5$ or 10$",
    "$5 or 10$",
    "$5 (or $6)",
    "a $ alone, and $ another",
    "$HOME/bin:$PATH",
    ["$", "{HOME}_", "$", "{USER}"].join(""),
    "$(pwd)/$(date)",
    "$foo and bar$ is prose",
    "`$x$` and ``\\(x\\)``",
    "```\n$x$\n$$y$$\n```",
    "    $x$",
    "\\$x\\$",
    "[$x](https://x.y/?a=$b$)",
    "$$",
    "\\(\\)"
  ])("%j has none", (text) => {
    assert.deepStrictEqual(formulasIn(text), [])
    assert.notInclude(htmlOf(text), 'class="math"')
  })

  it("shows the source of one with a mistake", () => {
    assert.include(htmlOf("$\\frac{a$"), '<code class="math">\\frac{a</code>')
    assert.include(htmlOf("$$\\nosuchthing{x}$$"), "\\nosuchthing{x}</code>")
  })

  it("keeps one that is still being written as text, and everything before it as it is", () => {
    const text = "Before $a$.\n\n$$\nx_1 + y_1 = *z*\n$$\n\nAfter."
    const close = text.indexOf("\n$$\n\nAfter") + 3
    for (let end = 1; end <= text.length; end++) {
      const html = htmlOf(text.slice(0, end), true)
      if (end >= 11) assert.include(html, "katex", `at ${end}`)
      assert.strictEqual(html.includes("is-display"), end >= close, `at ${end}`)
      assert.notInclude(html, "<em>", `at ${end}`)
    }
  })
})

describe("hostile formulas", () => {
  it.each([
    "\\href{javascript:alert(1)}{x}",
    "\\url{javascript:alert(1)}",
    "\\includegraphics{https://evil.example/x.png}",
    "\\htmlClass{log}{x}",
    "\\htmlId{main}{x}",
    "\\htmlStyle{position:fixed}{x}",
    "\\htmlData{copy=save}{x}",
    '\\text{<img src=x onerror="alert(1)">}',
    "\\color{red;background:url(https://evil.example)}x",
    "\\rule{1e9em}{1e9em}",
    "\\def\\a{\\a\\a}\\a",
    ...XSS_CORPUS.map((payload) => `\\text{${payload}}`)
  ])("%j makes nothing that runs, loads or leads anywhere", (tex) => {
    const html = typeset(tex, false) ?? ""
    assert.notMatch(html, /<(?:a|img|script|iframe|style|form|input|object|embed)\b/i)
    assert.notMatch(html, /<[^>]*\s(?:on\w+|href|src|id|data-\w+)\s*=/i)
    assert.notMatch(html, /<[^>]*(?:position:\s*fixed|url\()/i)
    assert.notMatch(html, /class="log"/)
    for (const [, size = "0"] of html.matchAll(/(?:width|height):(\d+(?:\.\d+)?)em/g)) assert.isAtMost(Number(size), 30)
  })
})
