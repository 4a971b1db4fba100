import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { createMarkdownParser } from "../../../src/core/text/createMarkdownParser.ts"
import { createMarkdown, createOutline } from "../../../src/core/text/MarkdownRenderer.ts"
import { formulaAt, mathExtension } from "../../../src/core/text/math/mathRules.ts"
import { escapeHtml } from "../../../src/core/text/safeHtml.ts"

import { createGrowingReader } from "../../../src/core/text/textBlocks.ts"
import { MarkdownPiece } from "../support/markdownPieces.ts"

const MANY = { arbitrary: { runs: 150, size: 30 } }

const spanAt = (text: string, before: string) => formulaAt(text, before)?.raw.length ?? 0
const asIs = (html: string) => html

/** A renderer that finds formulas and leaves them as their source. */
const mathMarkdown = async (sanitize = asIs) => {
  const markdown = createMarkdown({
    sanitize,
    loadHighlight: async () => escapeHtml,
    loadMath: async () => ({ extension: mathExtension, spanAt, draw: asIs })
  })
  const arrived = new Promise<void>((resolve) => markdown.onColours(resolve))
  markdown.render("$", false)
  await arrived
  return markdown
}

const parser = createMarkdownParser({ highlight: escapeHtml, extension: mathExtension(false), spanAt })

/** A text as the parser makes it of the whole. */
const whole = (text: string): string => {
  const { links } = parser.read(text)
  const { used } = parser.draw(text, links)
  const { html } = parser.draw(text, links, (label, href) => !used.has(label) || links[label]?.href !== href)
  return createOutline()(html)
}

const markdown = await mathMarkdown()
const blocksOf = (text: string, isGrowing = false) => markdown.render(text, isGrowing).map(({ html }) => html)
const htmlOf = (text: string, isGrowing = false) => blocksOf(text, isGrowing).join("")
/** Without what means nothing: the last line's break in a paragraph. */
const trimmed = (html: string) => html.replaceAll("\n</p>", "</p>")
const wordsIn = (html: string) => html.replace(/<[^>]*>/g, " ")
const codesIn = (html: string) => [...html.matchAll(/<pre[^>]*><code[^>]*>([^<]*)/g)].map(([, code]) => code)

describe("a text in pieces", () => {
  it.prop(
    "is what the parser makes of the whole",
    [Schema.Array(MarkdownPiece)],
    ([pieces]) => {
      const text = pieces.join("")
      for (let end = 1; end < text.length; end += 3) markdown.render(text.slice(0, end), true)
      assert.strictEqual(trimmed(htmlOf(text)), trimmed(whole(text)))
    },
    MANY
  )

  it.prop(
    "is read at every moment of its growth as it would be at once",
    [Schema.Array(MarkdownPiece)],
    ([pieces]) => {
      const { read } = createMarkdownParser({ highlight: escapeHtml, extension: mathExtension(true), isGrowing: true })
      const readGrown = createGrowingReader(read)
      const text = pieces.join("")
      for (let end = 1; end <= text.length; end++) {
        const now = text.slice(0, end)
        assert.deepStrictEqual(readGrown(now), createGrowingReader(read)(now), now)
        // Another text that grows meanwhile.
        readGrown(`other\n\n${now}`)
      }
    },
    MANY
  )

  it.each([
    ["a\n\nb", 2],
    ["```\na\n\nb\n```\n\nc", 2],
    ["- a\n\n  more\n\n- b\n\nend", 2],
    ["| a |\n|---|\n| 1 |\n\nend", 2],
    ["````\n```\n\n````\n\nb", 2],
    ["    a\n\n    b", 1],
    ["\n\na", 1],
    ["", 0]
  ])("%j has its parts", (text, count) => {
    assert.strictEqual(blocksOf(text).length, count)
  })

  it("finished ones are rendered once", async () => {
    let renders = 0
    const counted = await mathMarkdown((html) => {
      renders++
      return html
    })
    renders = 0
    const text = `${"para\n\n".repeat(3)}tail`
    for (let length = text.length - 4; length <= text.length; length++) counted.render(text.slice(0, length), true)
    assert.isAtMost(renders, 6)
  })
})

describe("a block of code", () => {
  const INNER = 'def f():\n    """Like this:\n\n    ```python\n    f()\n    ```\n\n    and so on.\n    """'

  it("ends at a fence of its own, not at one further in", () => {
    const html = htmlOf(`\`\`\`python\n${INNER}\n\`\`\`\n\nDone.\n\n**Next**`)
    assert.deepStrictEqual(codesIn(html), [`${escapeHtml(INNER)}\n`])
    assert.include(html, "<p>Done.</p>")
    assert.include(html, "<strong>Next</strong>")
  })

  it("may be further in itself", () => {
    const html = htmlOf("- one\n\n  ```\n  a\n\n  b\n  ```\n\n- two\n\nend")
    assert.deepStrictEqual(codesIn(html), ["a\n\nb\n"])
    assert.include(html, "<p>end</p>")
  })

  it("is one with its empty lines, also when it's indented", () => {
    assert.deepStrictEqual(codesIn(htmlOf("So:\n\n    a\n\n    b\n\nend")), ["a\n\nb\n"])
    assert.deepStrictEqual(codesIn(htmlOf("\ta\n\n\n\tb")), ["a\n\n\nb\n"])
  })
})

describe("text that unfolds", () => {
  it("has Markdown in it, also with another one inside", () => {
    const html = htmlOf(
      "Before\n<details>\n<summary>More *of* it</summary>\n\n- a\n\n<details open><summary>In</summary>\nb\n</details>\n\n</details>\n\nAfter"
    )
    assert.include(html, '<details class="fold" dir="ltr"><summary>More <em>of</em> it</summary><div>\n<ul dir="ltr">')
    assert.include(html, '<details class="fold" open dir="ltr"><summary>In</summary><div>\n<p>b</p>\n</div></details>')
    assert.include(html, "</div></details>\n<p>After</p>")
    assert.include(htmlOf("<details>\nx\n</details>"), "<summary>Details</summary>")
  })

  it("is text without its end, unless that is still to come", () => {
    assert.include(htmlOf("<details>\n\n*a*"), "&lt;details&gt;")
    assert.include(htmlOf("<details>\n\n*a*\n\nb", true), "<em>a</em>")
    assert.notInclude(htmlOf("<details>\n\n*a*\n\nb", true), "&lt;")
  })

  it("is the only HTML that is more than text", () => {
    const html = htmlOf('<details onclick="x()">\n<summary><img src=x onerror=y></summary>\n</details>')
    assert.notMatch(html, /<(?:details|img|summary)/)
    assert.include(
      htmlOf("<details>\n<summary><b>x</b></summary>\n</details>"),
      "<summary>&lt;b&gt;x&lt;/b&gt;</summary>"
    )
    assert.include(htmlOf("`<details>` and <details> in a line"), "&lt;details&gt; in a line")
  })
})

describe("a footnote", () => {
  it("is marked where it belongs, and is shown where it was written", () => {
    const html = htmlOf(
      "Text.[^1] And[^Note].\n\n[^1]: First *one*\n    goes on.\n\n    Further.\n[^note]: Second\n\nEnd."
    )
    assert.include(html, 'Text.<sup class="footnote-mark">1</sup> And<sup class="footnote-mark">Note</sup>.')
    assert.include(html, "<sup>1</sup><div><p>First <em>one</em><br>goes on.</p>\n<p>Further.</p>")
    assert.include(html, "<sup>note</sup><div><p>Second</p>")
    assert.include(html, "<p>End.</p>")
  })

  it("is text if nothing explains it", () => {
    assert.include(htmlOf("Match [^0-9]+ and `[^1]`"), "[^0-9]+ and <code>[^1]</code>")
    assert.include(htmlOf("Unused\n\n[^x]: https://x.y/"), '<sup>x</sup><div><p><a href="https://x.y/"')
  })
})

describe("an address given elsewhere", () => {
  it("is where the link leads", () => {
    const html = htmlOf(
      "Read [guide][1] and [spec].\n\n- [it][SPEC]\n\nMore.\n\n[1]: https://example.com/a\n[spec]: https://example.com/b"
    )
    assert.deepStrictEqual(
      [...html.matchAll(/<a href="([^"]*)"[^>]*>([^<]*)</g)].map(([, href, text]) => [text, href]),
      [
        ["guide", "https://example.com/a"],
        ["spec", "https://example.com/b"],
        ["it", "https://example.com/b"]
      ]
    )
    assert.notInclude(wordsIn(html), "https:")
  })

  it("stays readable if nothing leads there", () => {
    const html = htmlOf('Sources\n\n[1]: https://example.com/a\n[2]: <https://example.com/b c> "Title"\n[3]: mailto')
    assert.include(wordsIn(html), "[1]:  https://example.com/a")
    assert.include(html, 'href="https://example.com/a"')
    assert.include(wordsIn(html), "Title")
    assert.include(wordsIn(html), "[3]: mailto")
    // Only the first definition of a label counts, so another address would be lost.
    assert.include(wordsIn(htmlOf("[a]\n\n[a]: https://x.y/1\n[a]: https://x.y/2")), "https://x.y/2")
    assert.notInclude(wordsIn(htmlOf("[a]\n\n[a]: https://x.y/1\n[a]: https://x.y/1")), "https://x.y/1")
    assert.include(wordsIn(htmlOf("> [a]: https://x.y/quoted")), "https://x.y/quoted")
  })

  it("leads nowhere it mustn't", () => {
    const html = htmlOf("[a] ![b]\n\n[a]: javascript:alert(1)\n[b]: https://x.y/z.png\n[c]: javascript:alert(2)")
    assert.notMatch(html, /(?:href|src)="javascript/)
    assert.include(html, 'class="image-link"')
    assert.include(wordsIn(html), "[c]: javascript:alert(2)")
  })

  it("isn't half of one while it grows", () => {
    assert.notInclude(htmlOf("See [a].\n\n[a]: https://exam", true), "<a")
    assert.include(htmlOf("See [a].\n\n[a]: https://example.com/\n", true), 'href="https://example.com/"')
  })
})
