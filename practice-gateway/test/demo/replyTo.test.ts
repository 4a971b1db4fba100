import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { HELP_TEXT, LONG_CHAPTERS, SLOW_TEXT } from "../../src/demo/demoTexts.ts"
import { replyTo } from "../../src/demo/replyTo.ts"
import { type DemoPrompt, tokensOf } from "../../src/demo/steps.ts"

const prompt = (text: string, changes: Partial<DemoPrompt> = {}): DemoPrompt => ({
  text,
  images: [],
  model: "Demo Companion",
  thinkingLevel: "low",
  ...changes
})

const said = (text: string, changes?: Partial<DemoPrompt>) =>
  replyTo(prompt(text, changes))
    .flatMap((step) => (step.type === "text" ? [step.text] : []))
    .join("\n")

const kinds = (text: string) => replyTo(prompt(text)).map((step) => step.type)

describe("the demonstration agent", () => {
  it("repeats a short message in a friendly sentence", () => {
    assert.include(said("good evening"), "You said: “good evening”")
  })

  it("does what each word of its help promises", () => {
    assert.match(said("show me markdown"), /```ts[\s\S]+```[\s\S]+\| Part \|/)
    assert.deepStrictEqual(kinds("please think"), ["thinking", "text"])
    assert.deepStrictEqual(kinds("use a tool"), ["text", "tool", "text"])
    assert.match(said("chart"), /\[chart:\{"type":"bar".*\}\][\s\S]*\[chart:\{"type":"line".*\}\]/)
    assert.match(said("task"), /\[kanban:create\]\{.*\}\[\/kanban:create\]/)
    assert.match(said("speak"), /\[tts: [^\]]+\]/)
    assert.deepStrictEqual(kinds("spawn"), ["text", "spawn", "text"])
    assert.deepStrictEqual(kinds("fail"), ["fail"])
    assert.deepStrictEqual(kinds("hang"), ["text", "hang"])
    for (const word of HELP_TEXT.matchAll(/^\| (`.+`) \|/gm))
      for (const name of (word[1] ?? "").matchAll(/`(\w+)`/g))
        assert.notInclude(said(`${name[1]}`), "You said:", name[1])
  })

  it("its charts are data a chart can be drawn from", () => {
    for (const [, json] of said("chart").matchAll(/\[chart:(\{.*\})\]/g)) {
      const chart: unknown = JSON.parse(json ?? "")
      assert.hasAllKeys(chart, ["type", "title", "data"])
    }
  })

  it("slow lasts about twenty seconds and long is several thousand words", () => {
    const seconds = (tokensOf(SLOW_TEXT).length * 100) / 1000
    assert.isAbove(seconds, 15)
    assert.isBelow(seconds, 30)
    assert.isAbove(LONG_CHAPTERS.split(/\s+/).length, 3000)
  })

  it("describes the images that came with a message", () => {
    const images = [{ mimeType: "image/png", sizeBytes: 2048, fileName: "dot.png" }]
    const text = said("look", { images })
    assert.include(text, "`dot.png`: image/png, 2.0 KB")
    assert.include(text, "look")
  })

  it.prop("tokens joined give the text back", [Schema.String], ([text]) => {
    assert.strictEqual(tokensOf(text).join(""), text)
  })
})
