import { assert, describe, it } from "@effect/vitest"
import { asFence } from "../../../src/core/text/createMarkdownParser.ts"
import { createMarkdown } from "../../../src/core/text/MarkdownRenderer.ts"
import { escapeHtml } from "../../../src/core/text/safeHtml.ts"

const markdown = createMarkdown({
  sanitize: (html) => html,
  loadHighlight: async () => escapeHtml,
  loadMath: async () => ({ extension: () => ({}), spanAt: () => 0, draw: (html) => html })
})

const DIAGRAM = "```mermaid\nflowchart LR\n\n  a --> b\n```"
const diagramsIn = (text: string, streaming = false) =>
  markdown.render(text, streaming).flatMap(({ diagram }) => (diagram === undefined ? [] : [diagram]))

describe("diagrams in a text", () => {
  it("are found once they're finished, also right beside other text", () => {
    const source = "flowchart LR\n\n  a --> b"
    assert.deepStrictEqual(diagramsIn(DIAGRAM), [source])
    assert.deepStrictEqual(diagramsIn(`Look:\n${DIAGRAM}\nand\n\n${DIAGRAM}`), [source, source])
    assert.deepStrictEqual(diagramsIn(DIAGRAM.replaceAll("```", "~~~~")), [source])
    assert.deepStrictEqual(diagramsIn("```mermaid\nflowchart LR"), [])
    assert.deepStrictEqual(diagramsIn("```ts\nmermaid\n```\n\nmermaid"), [])
    assert.deepStrictEqual(diagramsIn("````\n```mermaid\nx\n```\n````"), [])
  })

  it("grow without a change to the text before them", () => {
    const text = `Look:\n${DIAGRAM}\nand so on`
    let before: ReadonlyArray<string> = []
    for (let end = 1; end <= text.length; end++) {
      const blocks = markdown.render(text.slice(0, end), true)
      const done = blocks.slice(0, -1).map(({ html }) => html)
      assert.deepStrictEqual(done.slice(0, Math.max(0, before.length)), before.slice(0, done.length), `at ${end}`)
      assert.strictEqual(
        blocks.some(({ diagram }) => diagram !== undefined),
        end >= text.indexOf("\nand"),
        `at ${end}`
      )
      before = done
    }
  })
})

describe("a response that is a document", () => {
  it("is code, whose document can be shown as itself", () => {
    const page = "<!DOCTYPE html>\n<html><body>\n\n```\n</body></html>"
    assert.deepStrictEqual(markdown.render(`${page}\n\nThat's *it*.`, false).length, 2)
    const [block, after] = markdown.render(`${page}\n\nThat's *it*.`, false)
    assert.include(block?.html, 'data-copy="preview"')
    assert.include(block?.html, "&lt;/body&gt;")
    assert.include(after?.html, "<em>it</em>")
    assert.include(markdown.render("<svg viewBox='0 0 1 1'></svg>", false)[0]?.html, "svg</span>")
  })

  it("stays the text it is otherwise", () => {
    for (const text of ["<b>bold</b>", "Use <html> here", "```html\n<p>\n```"]) assert.strictEqual(asFence(text), text)
  })

  it("can't be shown before its end", () => {
    assert.notInclude(markdown.render("```html\n<p>", true)[0]?.html, "preview")
    assert.include(markdown.render("```html\n<p>\n```", true)[0]?.html, "preview")
    assert.notInclude(markdown.render("```ts\n<p>\n```", false)[0]?.html, "preview")
    assert.include(markdown.render("```xml\n<svg></svg>\n```", false)[0]?.html, "preview")
  })
})
