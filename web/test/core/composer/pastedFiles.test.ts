import { assert, describe, it } from "@effect/vitest"
import { pastedFiles } from "../../../src/core/composer/pastedFiles.ts"

const picture = { name: "image.png", type: "image/png" }
const other = { name: "report.docx", type: "application/vnd.openxmlformats-officedocument.wordprocessingml.document" }

const CELLS = `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><style><!-- td {color: red} --></style></head>
<body><!--StartFragment--><table><tr><td>Apples</td><td>3</td></tr></table><!--EndFragment--></body></html>`

describe("a paste with a picture and a text", () => {
  it.each([
    ["cells", "Apples\t3\nPears\t4", CELLS],
    ["cells under Windows", "Apples\t3\r\nPears\t4\r\n", CELLS],
    [
      "a cell with an address",
      "https://example.com/a.png",
      "<table><tr><td>https://example.com/a.png</td></tr></table>"
    ],
    ["a paragraph with a picture in it", "Look at this", "<p>Look at this <img src='x.png'></p>"],
    ["a text without a page", "Apples and pears", ""],
    ["a text of several lines that begins with a path", "/etc/hosts\nis the file I mean", ""],
    ["Japanese", "りんご\t3", "<table><tr><td>りんご</td></tr></table>"],
    ["a text with a picture's name in it", "see image.png", ""]
  ])("is the text: %s", (_, text, html) => {
    assert.deepStrictEqual(pastedFiles({ files: [picture], text, html }), [])
  })

  it.each([
    ["alone", "", ""],
    ["with a blank text", " \n", ""],
    ["with a page of it", "", '<meta charset="utf-8"><img src="https://example.com/a.png" alt="A cat">'],
    ["with its alternative text", "A cat", '<meta charset="utf-8"><img src="https://example.com/a.png" alt="A cat">'],
    ["with a linked page of it", "https://example.com/", "<a href='https://example.com/'>&nbsp;<img src='a.png'></a>"],
    ["with a page's styles", "x", "<style>p > a { color: red }</style><!--StartFragment--><img src='a.png'>\n"],
    ["with its path", "/home/ada/Pictures/a cat.png", ""],
    ["with its path under Windows", "C:\\Users\\Ada\\a.png", ""],
    ["with its place on a server", "\\\\nas\\pictures\\a.png", ""],
    ["with its address", "file:///home/ada/a.png", ""],
    ["with its name", "image.png", ""],
    ["with two paths", "/home/ada/a.png\n/home/ada/b.png\n", ""]
  ])("is the picture: %s", (_, text, html) => {
    assert.deepStrictEqual(pastedFiles({ files: [picture], text, html }), [picture])
  })

  it("is all files where some aren't pictures, and the text where there are none", () => {
    assert.deepStrictEqual(pastedFiles({ files: [other], text: "report.docx", html: "" }), [other])
    assert.deepStrictEqual(pastedFiles({ files: [picture, other], text: "Notes", html: CELLS }), [picture, other])
    assert.deepStrictEqual(pastedFiles({ files: [], text: "Apples", html: CELLS }), [])
  })

  it("looks at any page, however it's written", () => {
    const isText = (html: string) => pastedFiles({ files: [picture], text: "x", html }).length === 0
    const office = "<!--[if gte mso 9]><xml><o:Office>1 < 2</o:Office></xml><![endif]-->"
    assert.deepStrictEqual(
      ["Words", "<P>Words", "a < b", `${office}<p>Words</p>`, "<STYLE>p{}</style>Words", "<stylish>Words"].map(isText),
      [true, true, true, true, true, true]
    )
    const without = [
      "<",
      "<".repeat(2_000_000),
      "<style>".repeat(300_000),
      `${office}<img alt='x'>`,
      "<title>W</title>"
    ]
    assert.deepStrictEqual(without.map(isText), [false, false, false, false, false])
  })
})
