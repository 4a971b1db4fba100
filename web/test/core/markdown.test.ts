import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { createMarkdown } from "../../src/core/MarkdownRenderer.ts"
import { renderMarkdown } from "../../src/core/renderMarkdown.ts"
import { splitBlocks } from "../../src/core/splitBlocks.ts"
import { XSS_CORPUS } from "./support/xssCorpus.ts"

const markdown = createMarkdown((html) => html)
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
  "a blockquote br button code del div em h3 h4 h5 h6 hr img input li ol p pre span strong table tbody td th thead tr ul".split(
    " "
  )
)
const ATTRIBUTES = new Set(
  "align alt aria-label checked class data-copy decoding disabled href loading rel role scope src start tabindex target type".split(
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

const Piece = Schema.Literals([
  "# H\n",
  "text ",
  "**b** ",
  "\n",
  "\n\n",
  "- item\n",
  "  more\n",
  "1. one\n",
  "```ts\nconst a = 1\n",
  "```\n",
  "~~~\n",
  "| a | b |\n|---|---|\n",
  "| 1 | 2 |\n",
  "> quote\n",
  "<div>\n",
  "</div>\n",
  "    code\n",
  "---\n",
  "[x](https://a.b)",
  "*",
  "`",
  "1",
  "<!--",
  "![i](https://x.y/z.png)"
])

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

  it.prop("whatever pieces come together", [Schema.Array(Piece), Schema.String], ([pieces, odd]) => {
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
    ["| a |\n|---|\n| 1 |", '<div class="table-scroll" role="region"'],
    ["<b>raw</b>", "&lt;b&gt;raw&lt;/b&gt;"],
    ["```ts\nlet a = 1\n```", '<span class="hljs-keyword">let</span>'],
    ["```nonsense\n<a>\n```", "&lt;a&gt;"],
    ["a\nb", "a<br>b"]
  ])("%j", (text, expected) => {
    assert.include(html(text), expected)
  })

  it("code gets its colours when its fence closes", () => {
    assert.notInclude(markdown.render("```ts\nlet a", true)[0]?.html ?? "", "hljs-keyword")
    assert.include(markdown.render("```ts\nlet a\n```", true)[0]?.html ?? "", "hljs-keyword")
    assert.include(markdown.render("```ts\nlet a", false)[0]?.html ?? "", "hljs-keyword")
  })
})

describe("blocks", () => {
  it.each([
    ["a\n\nb", ["a\n\n", "b"]],
    ["```\na\n\nb\n```\n\nc", ["```\na\n\nb\n```\n\n", "c"]],
    ["- a\n\n  more\n\n- b\n\nend", ["- a\n\n  more\n\n- b\n\n", "end"]],
    ["| a |\n|---|\n| 1 |\n\nend", ["| a |\n|---|\n| 1 |\n\n", "end"]],
    ["````\n```\n\n````\n\nb", ["````\n```\n\n````\n\n", "b"]],
    ["\n\na", ["\n\n", "a"]],
    ["", []]
  ])("%j", (text, blocks) => {
    assert.deepStrictEqual(splitBlocks(text), blocks)
  })

  it.prop("are the text, and only the last one changes while it grows", [Schema.Array(Piece)], ([pieces]) => {
    const text = pieces.join("")
    const whole = splitBlocks(text)
    assert.strictEqual(whole.join(""), text)
    for (let length = 0; length < text.length; length++) {
      const done = splitBlocks(text.slice(0, length)).slice(0, -1)
      assert.deepStrictEqual(whole.slice(0, done.length), done)
    }
  })

  it.prop("a text that streams ends as it would have come at once", [Schema.Array(Piece)], ([pieces]) => {
    const text = pieces.join("")
    const streamed = createMarkdown((rendered) => rendered)
    for (let length = 0; length < text.length; length += 3) streamed.render(text.slice(0, length), true)
    const fresh = splitBlocks(text).map((block) => renderMarkdown(block, true))
    assert.deepStrictEqual(
      streamed.render(text, false).map((block) => block.html),
      fresh
    )
  })

  it("finished blocks are rendered once", () => {
    let renders = 0
    const counted = createMarkdown((rendered) => {
      renders++
      return rendered
    })
    const text = `${"para\n\n".repeat(3)}tail`
    for (let length = text.length - 4; length <= text.length; length++) counted.render(text.slice(0, length), true)
    assert.isAtMost(renders, 6)
  })
})
