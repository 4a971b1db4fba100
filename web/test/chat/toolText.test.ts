import { assert, describe, it } from "@effect/vitest"
import { argumentsText, toolLine, toolStatus, toolTarget, toolWaits, type WaitsFor } from "../../src/chat/toolText.ts"
import type { ToolItem } from "../../src/core/conversation/chatTypes.ts"
import { shortened } from "../../src/core/text/longText.ts"

describe("toolTarget", () => {
  it("prefers the argument that says most, in one line", () => {
    assert.strictEqual(toolTarget({ timeout: 3, note: "later", command: "ls -la\npwd" }), "ls -la")
    assert.strictEqual(toolTarget({ anything: "here" }), "here")
  })

  it("is empty for arguments without text", () => {
    for (const args of [null, undefined, 3, [], {}, { n: 1 }, { command: "  " }])
      assert.strictEqual(toolTarget(args), "")
  })

  it("cuts what would not fit into a line", () => {
    assert.lengthOf(toolTarget({ path: "a".repeat(500) }), 141)
  })
})

describe("a question to the person", () => {
  const args = { questions: [{ id: "colour", question: "Which colour?", options: [] }], timeoutSeconds: 60 }
  const details = { status: "answered", answers: { answers: { colour: ["Blue"], extras: ["Lamp", "Bench"] } } }
  const asked = { name: "ask_user", title: null, args }

  const status = (name: string, state: ToolItem["status"], waits: WaitsFor) => {
    const tool = { name, status: state }
    return toolStatus(tool, toolWaits(tool, waits))
  }

  it("is described by its text, and waits for the person", () => {
    assert.strictEqual(toolLine({ ...asked, output: "" }), "Which colour?")
    assert.strictEqual(status("ask_user", "running", null), "Waiting for you")
    assert.strictEqual(status("ask_user", "done", "person"), "Done")
    assert.strictEqual(status("exec", "running", null), "Working")
    assert.strictEqual(status("exec", "denied", null), "Denied")
    assert.strictEqual(status("exec", "running", "person"), "Waiting for you")
  })

  it("claims neither work nor waiting while nothing is heard of it", () => {
    for (const name of ["exec", "ask_user"]) assert.strictEqual(status(name, "running", "link"), "Connection lost")
    assert.strictEqual(status("exec", "done", "link"), "Done")
  })

  it("is shown with its answer, however the gateway wraps that", () => {
    const direct = `Colour: Blue\n\n${JSON.stringify(details, null, 2)}`
    const wrapped = JSON.stringify({ tool: { name: "ask_user" }, result: { content: [], details } })
    for (const output of [direct, wrapped])
      assert.strictEqual(toolLine({ ...asked, output }), "Which colour? → Blue, Lamp, Bench")
    const none = 'No answer arrived.\n\n{"status":"no_answer"}'
    assert.strictEqual(toolLine({ ...asked, output: none }), "Which colour? → no answer")
    for (const output of ["{", "[]", "words", '{"result":3}', '{"answers":{"answers":{"a":[1]}}}'])
      assert.strictEqual(toolLine({ ...asked, output }), "Which colour?")
    assert.strictEqual(toolLine({ name: "exec", title: "Look", args: null, output: direct }), "Look")
  })
})

describe("argumentsText", () => {
  it("shows objects as JSON and leaves nothing out but emptiness", () => {
    assert.strictEqual(argumentsText({ a: 1 }), '{\n  "a": 1\n}')
    assert.strictEqual(argumentsText("raw"), "raw")
    assert.strictEqual(argumentsText({}), "")
    assert.strictEqual(argumentsText(null), "")
  })
})

describe("shortened", () => {
  it("says how much is hidden", () => {
    assert.deepStrictEqual(shortened("abcdef", 4), { text: "abcd", hidden: 2 })
    assert.deepStrictEqual(shortened("abcd", 4), { text: "abcd", hidden: 0 })
  })
})
