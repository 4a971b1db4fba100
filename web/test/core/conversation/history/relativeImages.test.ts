import { assert, describe, it } from "@effect/vitest"
import { createBlockRenderer } from "../../../../src/core/text/createMarkdownParser.ts"
import { createMarkdown } from "../../../../src/core/text/MarkdownRenderer.ts"
import { escapeHtml, safeImage } from "../../../../src/core/text/safeHtml.ts"

describe("paths of pictures", () => {
  it("that are not absolute begin in the workspace of the agent", () => {
    assert.strictEqual(safeImage("red.png"), "/api/files?path=red.png")
    assert.strictEqual(safeImage("./a/b%20c.png"), "/api/files?path=.%2Fa%2Fb%20c.png")
    assert.strictEqual(safeImage("red.png", "helper"), "/api/files?path=red.png&agent=helper")
    assert.strictEqual(safeImage("/tmp/red.png", "helper"), "/api/files?path=%2Ftmp%2Fred.png")
    assert.strictEqual(safeImage("red.png", "a&b=c"), "/api/files?path=red.png&agent=a%26b%3Dc")
  })

  it("lead nowhere else", () => {
    for (const path of [
      "",
      "red.txt",
      "red",
      "//example.com/red.png",
      "\\\\example.com\\red.png",
      "http://example.com/red.png",
      "javascript:alert(1)//.png",
      "blob:x.png",
      "data:image/svg+xml,x.png",
      "?x=.png",
      "#.png"
    ])
      assert.isNull(safeImage(path), path)
  })

  it("are those of the agent whose text it is, also when another one wrote the same", () => {
    const markdown = createMarkdown({
      sanitize: (html) => html,
      loadHighlight: async () => escapeHtml,
      loadMath: async () => ({ extension: () => ({}), spanAt: () => 0, draw: (html) => html })
    })
    const text = "![red](red.png)"
    const html = (agent?: string) =>
      markdown
        .render(text, false, agent)
        .map((block) => block.html)
        .join("")
    assert.include(html(), 'src="/api/files?path=red.png"')
    assert.include(html("helper"), 'src="/api/files?path=red.png&amp;agent=helper"')
    assert.include(html("main"), 'src="/api/files?path=red.png"')
    assert.include(createBlockRenderer(escapeHtml)(text), 'alt="red"')
  })
})
