import { assert, describe, it } from "@effect/vitest"
import { createSpeaker, spokenParts } from "../../../src/core/voice/Speaker.ts"

import { spokenReply } from "../../../src/core/voice/spokenText.ts"

const settle = async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}

const FENCE = "```"

describe("what is read aloud of a response", () => {
  it.each([
    ["a speech marker alone", "Text [tts: Hello you] more [tts: second]", "Hello you"],
    [
      "a heading, a list and a table",
      "# Title\n\n- **One** two\n\n| a | b |\n|---|---|\n| 1 | 2 |",
      "Title\nOne two\na, b\n1, 2"
    ],
    ["only code", `${FENCE}js\ncode()\n${FENCE}`, "Code left out."],
    ["code between words", `First:\n${FENCE}js\ncode()\n${FENCE}\nThen.`, "First:\nCode left out.\nThen."],
    ["a fence of tildes", "~~~\ncode()\n~~~", "Code left out."],
    ["a fence of four", "````md\n```js\ncode()\n```\n````", "Code left out."],
    ["a fence without its end", `Look:\n${FENCE}\ncode()`, "Look:\nCode left out."],
    ["indented code", "Look:\n\n    code()", "Look:\nCode left out."],
    ["code in a list", `1. Run\n\n   ${FENCE}\n   code()\n   ${FENCE}`, "Run\nCode left out."],
    ["code in a line", "Run `npm ci` first.", "Run npm ci first."],
    ["a diagram", `${FENCE}mermaid\ngraph TD\n${FENCE}`, "Diagram left out."],
    ["a whole document", "<!doctype html><html><body>x</body></html>", "Code left out."],
    ["only an address", "https://docs.example.com/a/b?c=d", "docs.example.com"],
    ["an address between words", "See https://www.example.com/guide for more.", "See example.com for more."],
    ["a link", "See [the guide](https://example.com/x).", "See the guide."],
    ["a link by its label", "See the [guide][1].\n\n[1]: https://example.com", "See the guide."],
    ["a picture", "![A lighthouse](a.png)", "A lighthouse"],
    ["formulas", "The area is $\\pi r^2$.\n\n$$\nx = 1\n$$", "The area is a formula.\nFormula left out."],
    ["a folded part", "<details><summary>More</summary>\n\nInside `a`\n\n</details>", "More\nInside a"],
    ["tags", "Press <kbd>Enter</kbd> now.", "Press Enter now."],
    ["a footnote", "It holds[^1].\n\n[^1]: Mostly.", "It holds.\nMostly."],
    ["a comparison", "a < b and c > d", "a < b and c > d"],
    ["tasks", "- [x] Wash\n- [ ] Dry", "done: Wash\nopen: Dry"],
    ["a quotation", "> Be brief.", "Be brief."],
    ["names with underscores", "Set a_b_c now.", "Set a_b_c now."],
    ["a range", "100~200 元", "100~200 元"],
    ["escaped signs", "5\\*3\\*2", "5*3*2"],
    ["a sum with signs", "5 * 3 * 2", "5 * 3 * 2"],
    ["nothing but a marker", "[kanban:create]{}[/kanban:create]", ""],
    ["nothing but signs", "—\n\n***", ""]
  ])("%s", async (_, answer, words) => {
    assert.strictEqual(await spokenReply(answer), words)
  })
})

describe("a long text", () => {
  it("is spoken in parts that make it up, the first one soon", () => {
    const text = Array.from({ length: 1_000 }, (_, index) => `Sentence ${index} is here.`).join(" ")
    const parts = spokenParts(text)
    assert.strictEqual(parts.join(" "), text)
    assert.isAtMost(parts[0]?.length ?? 0, 1_000)
    for (const part of parts) {
      assert.isAtMost(part.length, 5_000)
      assert.isTrue(part.endsWith("is here."))
    }
  })

  it.each([
    ["Chinese", "这是一个句子。".repeat(2_000)],
    ["one word", "x".repeat(12_000)],
    ["pairs", "😀".repeat(6_000)],
    ["lines", "word\n".repeat(3_000)]
  ])("of %s is cut within no character", (_, text) => {
    const parts = spokenParts(text)
    assert.strictEqual(parts.join("").replace(/\s/g, ""), text.replace(/\s/g, ""))
    assert.isTrue(parts.every((part) => part.length <= 5_000 && part.isWellFormed()))
  })

  it("of nothing has no parts", () => {
    assert.deepStrictEqual(spokenParts(" \n "), [])
  })

  it("is read on where the browser wanted a click, and each part is prepared while the one before is heard", async () => {
    const spoken: Array<string> = []
    const ends: Array<{ readonly end: () => void; readonly fail: () => void }> = []
    let again = () => {}
    const speaker = createSpeaker({
      speak: async (text) => {
        spoken.push(text.slice(0, 1))
        return { ok: true, value: new Blob([text]) }
      },
      play: () => ({
        ended: new Promise((end, fail) => ends.push({ end, fail: () => fail(new Error("NotAllowed")) })),
        stop: () => {}
      }),
      onProblem: (message) => assert.fail(message),
      onBlocked: (next) => {
        again = next
      }
    })
    const text = `${"a".repeat(900)}. ${"b".repeat(4_900)}. ${"c".repeat(4_900)}.`
    void speaker.say(text)
    await settle()
    assert.deepStrictEqual(spoken, ["a", "b"])
    ends[0]?.fail()
    await settle()
    assert.isFalse(speaker.speaking.get())
    again()
    await settle()
    ends[1]?.end()
    await settle()
    assert.isTrue(speaker.speaking.get())
    ends[2]?.end()
    await settle()
    ends[3]?.end()
    await settle()
    assert.isFalse(speaker.speaking.get())
    assert.lengthOf(ends, 4)
    assert.sameMembers([...new Set(spoken)], ["a", "b", "c"])
  })
})
