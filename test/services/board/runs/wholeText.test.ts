import { assert, describe, it } from "@effect/vitest"
import { wholeText } from "../../../../src/services/board/runs/runVerdict.ts"
import { answer, question } from "./askedRun.ts"

const tool = { role: "assistant", content: [{ type: "text", text: "let me look" }], stopReason: "toolUse" }
const result = { role: "toolResult", content: [{ type: "text", text: "hi" }] }

describe("the whole answer of a turn", () => {
  it("has the parts as they were said, whatever the event made of them", () => {
    const messages = [question, tool, result, answer("tooldone")]
    assert.strictEqual(wholeText(messages, "let me looktoldone"), "let me look\n\ntooldone")
    assert.strictEqual(wholeText(messages, "let me look and much more that nobody said"), "let me look\n\ntooldone")
    assert.strictEqual(wholeText(messages, undefined), "let me look\n\ntooldone")
  })

  it("is the event's where the history lags behind or was cut, and the other way round", () => {
    const long = "word ".repeat(3_000)
    const cut = `${long.slice(0, 12_000)}\n...(truncated)...`
    assert.strictEqual(wholeText([question, tool, result], "let me look. All done."), "let me look. All done.")
    assert.strictEqual(wholeText([question, answer(cut)], long), long)
    assert.strictEqual(wholeText([question, answer(long)], cut), long)
    assert.strictEqual(wholeText([question, answer("[chat.history omitted: message too large]")], long), long)
    assert.strictEqual(wholeText([question], "Done."), "Done.")
    assert.isUndefined(wholeText([question], undefined))
  })
})
