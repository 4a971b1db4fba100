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
    ["**$x$**", ["x"]],
    ["$$\na\n\nb\n$$", ["a\n\nb"]],
    ["Then:\n$$\na\n\n\nb\n$$\nso $c$", ["a\n\n\nb", "c"]],
    [
      "\\[\n\\begin{aligned}\na &= b\\\\\n\nc &= d\n\\end{aligned}\n\\]",
      ["\\begin{aligned}\na &= b\\\\\n\nc &= d\n\\end{aligned}"]
    ],
    ["\\[ a\n\nb \\]", ["a\n\nb"]],
    ["$$ \\begin{aligned}\na\n\nb\n\\end{aligned} $$", ["\\begin{aligned}\na\n\nb\n\\end{aligned}"]],
    ["> $$\n> a\n>\n> b\n> $$\n\n- $$\n  c\n\n  d\n  $$", ["a\n\nb", "c\n\nd"]],
    ["$2x + 3y = 7, x > 0$", ["2x + 3y = 7, x > 0"]],
    ["$0 < a, b < 1$", ["0 < a, b < 1"]],
    ["$rate = total / count$", ["rate = total / count"]],
    ["$4 \\text{ per hour}$", ["4 \\text{ per hour}"]],
    ["x$$y$$z", ["y"]]
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
    "pay $4=cheap, not 8$",
    "a $6 <= b, c$",
    "costs $5=low, or 7$",
    "if $3+tax, about 4$",
    "$4_000 and 5_000$",
    "set $HOME=/usr, or foo$",
    "$$ is much.\n\nThe end costs $$ too.",
    "$$\na\n\nno end",
    `$$\n${"long ".repeat(900)}\n$$`,
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

describe("formulas with empty lines", () => {
  it("are whole at every moment while they're written, and text if no end comes", () => {
    const text = "Before.\n\n$$\na\n\n*b*\n\nc\n$$\n\nAfter."
    for (let end = text.indexOf("$$\n") + 3; end <= text.length; end++) {
      const html = htmlOf(text.slice(0, end), true)
      assert.notInclude(html, "<em>", `at ${end}`)
      assert.strictEqual(html.split("<p>").length - 1, end > text.indexOf("After") ? 3 : 2, `at ${end}`)
    }
    assert.include(htmlOf("$$\na\n\n*b*", false), "<em>b</em>")
    assert.include(htmlOf(`$$\n${"long ".repeat(900)}\n\n*b*`, true), "<em>b</em>")
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
