import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { micromark } from "micromark"
import { createMarkdownParser } from "../../../src/core/text/createMarkdownParser.ts"
import { formulaAt, mathExtension } from "../../../src/core/text/math/mathRules.ts"
import { escapeHtml } from "../../../src/core/text/safeHtml.ts"

const parser = createMarkdownParser({
  highlight: escapeHtml,
  extension: mathExtension(false),
  spanAt: (text, before) => formulaAt(text, before)?.raw.length ?? 0
})
const htmlOf = (text: string) => parser.draw(text).html
const lineOf = (text: string) => htmlOf(text).replace(/^<p>|<\/p>\n$/g, "")

describe("emphasis", () => {
  it.each([
    ["先看**「预算」**部分。", "先看<strong>「预算」</strong>部分。"],
    ["这里是**“只读（预览）”模式**。", "这里是<strong>“只读（预览）”模式</strong>。"],
    ["**请先保存文件。**然后再继续。", "<strong>请先保存文件。</strong>然后再继续。"],
    ["送料は**2,500円（税別）**です。", "送料は<strong>2,500円（税別）</strong>です。"],
    ["**「見出し」**を参照", "<strong>「見出し」</strong>を参照"],
    ["*「斜体」*", "<em>「斜体」</em>"],
    ["看*「斜体」*吧", "看<em>「斜体」</em>吧"],
    ["**bold:**text", "<strong>bold:</strong>text"],
    ["**Note.**Then (**a**)", "<strong>Note.</strong>Then (<strong>a</strong>)"],
    ["**한국어(영어)**입니다", "<strong>한국어(영어)</strong>입니다"],
    [
      '参数**"name"**必填，**`id`**也是',
      "参数<strong>&quot;name&quot;</strong>必填，<strong><code>id</code></strong>也是"
    ],
    ["**ข้อความ (ใหม่)**ครับ", "<strong>ข้อความ (ใหม่)</strong>ครับ"],
    ["**一**、**「二」**和**“三”**", "<strong>一</strong>、<strong>「二」</strong>和<strong>“三”</strong>"],
    ["***「全部」***都要", "<em><strong>「全部」</strong></em>都要"],
    [
      "**[链接](https://x.y/)**后面",
      '<strong><a href="https://x.y/" target="_blank" rel="noopener noreferrer nofollow">链接</a></strong>后面'
    ],
    ["**完了✅**です", "<strong>完了✅</strong>です"],
    ["**粗*「斜」*粗**字", "<strong>粗<em>「斜」</em>粗</strong>字"],
    ["原价~~￥100~~现价~~「旧」~~新", "原价<del>￥100</del>现价<del>「旧」</del>新"],
    ["**𠮷「𠮷」**𠮷", "<strong>𠮷「𠮷」</strong>𠮷"]
  ])("%j", (text, expected) => {
    assert.strictEqual(lineOf(text), expected)
  })

  it.each([
    "5*3*2",
    "2*(3+4)*5 and (1+2)*(3+4)*5",
    "2**3**4 and 2**(3)**4",
    "2 * 3 * 4",
    "** no **",
    "a ** b ** c",
    "*.js 和 a * b",
    "\\*\\*不\\*\\*",
    "3~6V 電流 40~90mA",
    "约~100元，或~200元",
    "takes ~2~4 minutes",
    "約2~3万円、期間は5~7日",
    "~one~",
    "~~~two~~~ three",
    "~~ no ~~"
  ])("%j has none", (text) => {
    assert.notMatch(htmlOf(text), /<(?:em|strong|del)>/)
  })

  it("leaves code in peace", () => {
    assert.strictEqual(lineOf("1~2 and `3~4` and 5~6"), "1~2 and <code>3~4</code> and 5~6")
    assert.strictEqual(lineOf("~~a `b~~` c~~"), "<del>a <code>b~~</code> c</del>")
  })

  const Sign = Schema.Literals(["a", "b ", " ", "*", "_", "`c`", "(", ") ", ". ", '"', "[l](https://x.y/)", "\\*", "é"])
  const shape = (html: string) => (html.match(/<\/?(?:em|strong)>|\w+|[*_]+/g) ?? []).join(" ")

  it.prop(
    "is CommonMark's in text with spaces",
    [Schema.Array(Sign), Schema.Boolean],
    ([signs, isStrong]) => {
      const spaced = `x${signs.join("")}`.replaceAll(/([*_])[*_]+/g, "$1").replaceAll(/([)\]`".])(?=[*_])/g, "$1 ")
      const text = isStrong ? spaced.replaceAll(/(?<!\\)[*_]/g, "$&$&") : spaced
      assert.strictEqual(shape(htmlOf(text).replaceAll(/ target="[^>]*/g, "")), shape(micromark(text)))
    },
    { arbitrary: { runs: 500 } }
  )
})

describe("an address in a text", () => {
  const addressesIn = (text: string) =>
    [...htmlOf(text).matchAll(/<a href="[^"]*"[^>]*>([^<]*)</g)].map(([, address = ""]) =>
      address.replaceAll("&amp;", "&")
    )

  it.each([
    ["https://example.com/help（说明）再继续", ["https://example.com/help"]],
    ["https://example.com/start，请看", ["https://example.com/start"]],
    ["https://example.com。", ["https://example.com"]],
    ["「https://example.com/x」这里", ["https://example.com/x"]],
    ["https://example.com/?q=1&r=2；再看", ["https://example.com/?q=1&r=2"]],
    ["https://example.com/report.pdf”。", ["https://example.com/report.pdf"]],
    ["https://example.com/a**粗**", ["https://example.com/a"]],
    ["https://example.com/a*斜*吧", ["https://example.com/a"]],
    ["https://example.com/a~~旧~~", ["https://example.com/a"]],
    ["https://example.com/a、https://example.com/b", ["https://example.com/a", "https://example.com/b"]],
    ["www.example.com：网站", ["www.example.com"]],
    ["me@example.com（工作）", ["me@example.com"]],
    ["**https://example.com/a**。", ["https://example.com/a"]],
    ["https://example.com/a——说明", ["https://example.com/a"]],
    ["«https://example.com/a»", ["https://example.com/a"]],
    ["https://example.com/a، ثم", ["https://example.com/a"]],
    ["https://example.com/a।", ["https://example.com/a"]],
    ["https://zh.wikipedia.org/wiki/中文_(语言)。", ["https://zh.wikipedia.org/wiki/中文_(语言)"]],
    [
      "https://ja.wikipedia.org/wiki/レオナルド・ダ・ヴィンチ、他",
      ["https://ja.wikipedia.org/wiki/レオナルド・ダ・ヴィンチ"]
    ],
    ["https://ru.wikipedia.org/wiki/Москва.", ["https://ru.wikipedia.org/wiki/Москва"]],
    [
      "https://en.wikipedia.org/wiki/Michelson–Morley_experiment",
      ["https://en.wikipedia.org/wiki/Michelson–Morley_experiment"]
    ],
    ["见https://example.com的说明", ["https://example.com"]],
    ["打开http://localhost:3080，或http://192.168.1.5:3080即可", ["http://localhost:3080", "http://192.168.1.5:3080"]],
    ["www.example.com에서", ["www.example.com"]],
    ["https://www.例え.jp/x", ["https://www.例え.jp/x"]],
    ["https://example.中国/x", ["https://example.中国/x"]],
    ["https://example.com/佐々木〇", ["https://example.com/佐々木〇"]],
    ["https://example.com/a*b*c?x=1", ["https://example.com/a*b*c?x=1"]]
  ])("%j", (text, expected) => {
    assert.deepStrictEqual(addressesIn(text), expected)
  })

  it("leaves what follows as it is", () => {
    assert.include(htmlOf("https://example.com/a**粗**"), "<strong>粗</strong>")
    assert.include(htmlOf("https://example.com/help（说明）再继续"), "</a>（说明）再继续")
  })
})

describe("a table's row", () => {
  const cellsOf = (row: string, columns = 2) => {
    const head = `|${" h |".repeat(columns)}\n|${"---|".repeat(columns)}\n`
    const [, body = ""] = htmlOf(`${head}${row}`).split("<tbody>")
    return [...body.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell]) => cell)
  }

  it.each([
    ["| `A|B` | second |", ["<code>A|B</code>", "second"]],
    ["| `ps aux | grep x` | y |", ["<code>ps aux | grep x</code>", "y"]],
    ["| `x |> f` | y |", ["<code>x |&gt; f</code>", "y"]],
    ["| ``a`|`b`` | y |", ["<code>a`|`b</code>", "y"]],
    ["| `A\\|B` | y |", ["<code>A|B</code>", "y"]],
    ["| $|x|$ | absolute |", ['<code class="math">|x|</code>', "absolute"]],
    ["| \\(P(A | B)\\) | given |", ['<code class="math">P(A | B)</code>', "given"]],
    ["`a|b` | c", ["<code>a|b</code>", "c"]],
    ["| a \\| b | c |", ["a | b", "c"]],
    ["| $5 | 6$ |", ["$5", "6$"]],
    ["| $a | b$ |", ["$a", "b$"]],
    ["| ` | one tick |", ["`", "one tick"]],
    ["| a | b | c | d |", ["a", "b | c | d"]],
    ["a | b | c", ["a", "b | c"]],
    ["| ps aux | grep x | y |", ["ps aux", "grep x | y"]],
    ["| a | b | | |", ["a", "b"]],
    ["| a |", ["a", ""]],
    ["| | b |", ["", "b"]],
    ["| a<br>**b<BR/>c** | `<br>` <b> |", ["a<br><strong>b<br>c</strong>", "<code>&lt;br&gt;</code> &lt;b&gt;"]]
  ])("%j", (row, expected) => {
    assert.deepStrictEqual(cellsOf(row), expected)
  })

  it("is one of the table's with code in its head, and what follows the table isn't", () => {
    const html = htmlOf("| `a|b` | c |\n|:-:|---|\n| 1 | `x|y` |\n\nafter | it")
    assert.include(html, "<code>a|b</code></th>")
    assert.include(html, "<code>x|y</code></td>")
    assert.include(html, "<p>after | it</p>")
    assert.deepStrictEqual(cellsOf("| a | b |", 1), ["a | b"])
    assert.include(htmlOf("h |\n---|\n`a|b` |"), "<code>a|b</code></td>")
  })

  const Sign = Schema.Literals(["a", " ", "|", "`", "\\", "$", "``"])
  it.prop("loses no letter", [Schema.Array(Sign)], ([signs]) => {
    const row = `|x${signs.join("")}`
    const letters = (text: string) => text.replace(/<[^>]*>/g, "").replace(/[^ax]/g, "")
    assert.strictEqual(letters(cellsOf(row).join("")), letters(row))
  })
})
