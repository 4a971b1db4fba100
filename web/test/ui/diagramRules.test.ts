import { assert, describe, it } from "@effect/vitest"
import { diagramName, mayDraw } from "../../src/ui/diagrams/diagramRules.ts"

describe("diagrams", () => {
  it("are called by their title, otherwise by their words, each once", () => {
    assert.strictEqual(diagramName(" How it works ", ["a"]), "How it works")
    assert.strictEqual(diagramName("", [" Start\n here ", "End", "End", ""]), "Diagram: Start here, End")
    assert.strictEqual(diagramName("", []), "Diagram")
    assert.isAtMost(diagramName("", ["x".repeat(1_000)]).length, 320)
  })

  it("are drawn unless they load something or are endless", () => {
    assert.isTrue(mayDraw("flowchart LR\n  a[An image of a url] --> b"))
    for (const source of [
      'flowchart LR\n  a@{ img: "https://evil.example/x.png" }',
      "flowchart LR\n  classDef a fill:url(https://evil.example)",
      "flowchart LR\n  classDef a fill:URL (x)",
      '%%{init: {"themeCSS": "@import x"}}%%\nflowchart LR',
      'flowchart LR\n  a["<img src=x>"]',
      'flowchart LR\n  a["<b onclick=alert(1)>x</b>"]',
      "x".repeat(30_000)
    ])
      assert.isFalse(mayDraw(source), source.slice(0, 80))
  })
})
