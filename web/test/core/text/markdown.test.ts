import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { highlightCode } from "../../../src/core/text/highlightCode.ts"
import { createMarkdown } from "../../../src/core/text/MarkdownRenderer.ts"
import { createMath } from "../../../src/core/text/math/createMath.ts"
import { typeset } from "../../../src/core/text/math/typeset.ts"
import { MarkdownPiece } from "../support/markdownPieces.ts"
import { XSS_CORPUS } from "../support/xssCorpus.ts"

const asIs = (html: string) => html
const loadMath = async () =>
  createMath(
    async () => typeset,
    () => {}
  )

/** A renderer with its colours there, the way it is after the first code block. */
const colouredMarkdown = async () => {
  const markdown = createMarkdown({ sanitize: asIs, loadHighlight: async () => highlightCode, loadMath })
  const coloured = new Promise<void>((resolve) => markdown.onColours(resolve))
  markdown.render("```ts\n1\n```", false)
  await coloured
  return markdown
}

const markdown = await colouredMarkdown()
const html = (text: string) =>
  markdown
    .render(text, false)
    .map((block) => block.html)
    .join("")

/** Every tag of an HTML text with its attributes. */
function tagsOf(
  text: string
): ReadonlyArray<{ readonly name: string; readonly attributes: ReadonlyMap<string, string> }> {
  return [...text.matchAll(/<\/?([a-z0-9]+)((?:\s+[\w-]+(?:="[^"<>]*")?)*)\s*>/g)].map(([, name = "", rest = ""]) => ({
    name,
    attributes: new Map([...rest.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, key = "", value = ""]) => [key, value]))
  }))
}

const TAGS = new Set(
  "a blockquote br button code del details div em h3 h4 h5 h6 hr img input li ol p pre span strong summary sup table tbody td th thead tr ul".split(
    " "
  )
)
const ATTRIBUTES = new Set(
  "align alt aria-label checked class data-copy data-picture decoding dir disabled href loading open rel role scope src start tabindex target type".split(
    " "
  )
)

/** Throws unless the HTML consists of known tags, known attributes and harmless addresses alone. */
function assertSafe(text: string, source: string): void {
  const tags = tagsOf(text)
  assert.strictEqual(tags.length, text.split("<").length - 1, `a stray "<" in the output of ${source}: ${text}`)
  for (const { name, attributes } of tags) {
    assert.isTrue(TAGS.has(name), `<${name}> from ${source}`)
    for (const [key, value] of attributes) {
      assert.isTrue(ATTRIBUTES.has(key), `${key} on <${name}> from ${source}`)
      if (key === "href") assert.match(value, /^(https?:\/\/|mailto:)/, source)
      if (key === "src") assert.match(value, /^(\/api\/files\?path=|data:image\/(png|jpeg|gif|webp);base64,)/, source)
    }
  }
}

describe("safety", () => {
  it.each(XSS_CORPUS)("%j makes nothing that runs", (payload) => {
    for (const text of [
      payload,
      `a ${payload} b`,
      `- ${payload}`,
      `| ${payload} |\n|---|\n| x |`,
      `> ${payload}`,
      `[${payload}](https://a.b)`
    ])
      assertSafe(html(text), text)
  })

  it("the corpus is not small", () => {
    assert.isAtLeast(XSS_CORPUS.length, 40)
  })

  it.prop("whatever pieces come together", [Schema.Array(MarkdownPiece), Schema.String], ([pieces, odd]) => {
    assertSafe(html(pieces.join("") + odd), pieces.join(""))
  })

  it("absurd nesting is shown as it is", () => {
    assertSafe(html(`${">".repeat(20_000)} x`), "nesting")
  })
})

describe("what people see", () => {
  it.each([
    ["[a](https://x.y/z)", '<a href="https://x.y/z" target="_blank" rel="noopener noreferrer nofollow">a</a>'],
    ["[a](javascript:alert(1))", "<p>a</p>"],
    ["[a](/local)", "<p>a</p>"],
    ["![chart](/tmp/a.png)", '<img src="/api/files?path=%2Ftmp%2Fa.png" alt="chart"'],
    ["![x](https://evil.example/p.png)", 'class="image-link"'],
    ["![x](//evil.example/p.png)", "<p>x</p>"],
    ["# Title", "<h3>Title</h3>"],
    ["- [x] done", '<input type="checkbox" disabled checked aria-label="done">'],
    ["| a |\n|---|\n| 1 |", '<div class="table-scroll" role="group"'],
    ["| Name | **Price** |\n|---|---|\n| a | 1 |", 'aria-label="Table of Name, Price, starting with a"'],
    ["| a<br>b |\n|---|\n| 1 |", 'aria-label="Table of a b, starting with 1"'],
    [
      "| 5*3 | a_b | `x|y` |\n|---|---|---|\n| [l](https://x.y) 2~3 |",
      'aria-label="Table of 5*3, a_b, x|y, starting with l 2~3"'
    ],
    ['| a" onclick="x |\n|---|\n| 1 |', 'aria-label="Table of a&quot; onclick=&quot;x, starting with 1"'],
    ["<b>raw</b>", "&lt;b&gt;raw&lt;/b&gt;"],
    ["```ts\nlet a = 1\n```", '<span class="hljs-keyword">let</span>'],
    ["```nonsense\n<a>\n```", "&lt;a&gt;"],
    ["a\nb", "a<br>b"]
  ])("%j", (text, expected) => {
    assert.include(html(text), expected)
  })

  it("headings leave no level out, whatever the agent wrote", () => {
    const levels = (text: string) =>
      markdown.render(text, false).flatMap((block) => [...block.html.matchAll(/<h(\d)>/g)].map(([, level]) => level))
    assert.deepStrictEqual(levels("#### Deep\n\ntext\n\n###### Deeper\n\n# Top"), ["3", "4", "3"])
    assert.deepStrictEqual(levels("# A\n\n### B\n\n## C\n\n### D"), ["3", "4", "4", "5"])
    assert.deepStrictEqual(levels("# 1\n## 2\n### 3\n#### 4\n##### 5\n###### 6"), ["3", "4", "5", "6", "6", "6"])
  })

  it("every table of a text has a name of its own", () => {
    const table = (cell: string) => `| City | °C |\n|---|---|\n| ${cell} | 4 |\n\n`
    const names = markdown
      .render(`${table("Oslo")}${table("Bern")}${table("Oslo")}|  |\n|---|\n|  |`, false)
      .flatMap((block) => [...block.html.matchAll(/role="group" aria-label="([^"]*)"/g)].map(([, name]) => name))
    assert.deepStrictEqual(names, [
      "Table of City, °C, starting with Oslo",
      "Table of City, °C, starting with Bern",
      "Table of City, °C, starting with Oslo (2)",
      "Table"
    ])
  })

  it("code gets its colours when its fence closes", () => {
    assert.notInclude(markdown.render("```ts\nlet a", true)[0]?.html ?? "", "hljs-keyword")
    assert.include(markdown.render("```ts\nlet a\n```", true)[0]?.html ?? "", "hljs-keyword")
    assert.include(markdown.render("```ts\nlet a", false)[0]?.html ?? "", "hljs-keyword")
  })
})

describe("the colouring of code", () => {
  const CODE = "```ts\nconst a = '<b>'\n```"

  it("is fetched with the first finished code block; until then code is plain", async () => {
    let loads = 0
    const late = createMarkdown({
      sanitize: asIs,
      loadHighlight: async () => {
        loads++
        return highlightCode
      },
      loadMath
    })
    const htmlOf = () => late.render(CODE, false).map((block) => block.html)
    late.render("text and `code`\n\n```\nno language\n```", false)
    late.render("```ts\nconst a", true)
    assert.strictEqual(loads, 0)

    const coloured = new Promise<void>((resolve) => late.onColours(resolve))
    const before = htmlOf().join("")
    assert.include(before, "const a = &#39;&lt;b&gt;&#39;")
    await coloured
    const after = htmlOf().join("")
    assert.include(after, "hljs-keyword")
    assert.strictEqual(after.replace(/<[^>]*>/g, "").replaceAll("&#x27;", "&#39;"), before.replace(/<[^>]*>/g, ""))
    assert.strictEqual(loads, 1)
  })

  it("is asked for again after it could not be had", async () => {
    let loads = 0
    const late = createMarkdown({
      sanitize: asIs,
      loadHighlight: async () => {
        if (++loads === 1) throw new Error("offline")
        return highlightCode
      },
      loadMath
    })
    const coloured = new Promise<void>((resolve) => late.onColours(resolve))
    late.render(CODE, false)
    await new Promise<void>((resolve) => setImmediate(resolve))
    late.render(`${CODE}\n\n${CODE} `, false)
    await coloured
    assert.strictEqual(loads, 2)
  })
})
