import { assert, describe, it } from "@effect/vitest"
import { createMarkdownParser } from "../../../src/core/text/createMarkdownParser.ts"
import { escapeHtml } from "../../../src/core/text/safeHtml.ts"

const parser = createMarkdownParser({ highlight: escapeHtml })

/** The blocks of a text with the direction that each says it has. */
const directionsIn = (text: string) =>
  [
    ...parser.draw(text).html.matchAll(/<(?:(ul|ol|blockquote|details)|div class="(table-scroll|footnote)")([^>]*)>/g)
  ].map(([, tag, name, rest = ""]) => `${tag ?? name} ${/ dir="(\w+)"/.exec(rest)?.[1] ?? "as the page"}`)

describe("the direction of a block", () => {
  it.each([
    ["- אחת\n- שתיים", ["ul rtl"]],
    ["- one\n- two", ["ul ltr"]],
    ["3. واحد\n4. اثنان", ["ol rtl"]],
    ["> ציטוט", ["blockquote rtl"]],
    ["> - ציטוט\n> - שני", ["blockquote rtl", "ul rtl"]],
    ["| שם | מחיר |\n|---|---|\n| תה | 12 |", ["table-scroll rtl"]],
    ["| Name | שם |\n|---|---|\n| Tea | תה |\n| API | ממשק |\n| ‏ | מסך |", ["table-scroll rtl"]],
    ["- `npm install` מתקין\n- ה-API", ["ul rtl"]],
    ["- API: ממשק\n- ממשק\n- שרת", ["ul rtl"]],
    ["- one\n- two\n- שלוש", ["ul ltr"]],
    ["- אחת\n- two", ["ul rtl"]],
    ["- **אחת**\n- [שתיים](https://x.y/)", ["ul rtl"]],
    ["- https://x.y/a זה\n- `x`", ["ul rtl"]],
    ["- [ ] משימה", ["ul rtl"]],
    ["- אחת\n  - in\n  - side\n- שתיים\n- שלוש", ["ul rtl", "ul ltr"]],
    ["[^1]: הערה", ["footnote rtl"]],
    ["<details>\nטקסט\n</details>", ["details rtl"]],
    ["1. 2\n2. 3", ["ol as the page"]],
    ["| 1 |\n|---|\n| 2 |", ["table-scroll as the page"]],
    ["> ```\n> code\n> ```\n> `x`", ["blockquote as the page"]],
    ["- ދިވެހި\n- ߒߞߏ\n- ܣܘܪܝܝܐ", ["ul rtl"]]
  ])("%j", (text, expected) => {
    assert.deepStrictEqual(directionsIn(text), expected)
  })
})
