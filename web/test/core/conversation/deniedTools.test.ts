import { afterEach, assert, describe, it } from "@effect/vitest"
import { decodeHistory } from "../../../../src/services/conversations/history/chatHistory.ts"
import { toolEnd } from "../../../../src/services/conversations/history/toolText.ts"
import { ChatHarness } from "../support/chatHarness.ts"
import { assistant, call, toolResult, user } from "../support/turnFrames.ts"

const DENIED = "Exec denied (gateway id=3f2a, user-denied): rm -r ./old"

let harness: ChatHarness | undefined
afterEach(() => harness?.dispose())

describe("a command nobody allowed", () => {
  it("is denied and not failed in the history, in the words of each gateway", () => {
    for (const text of [
      DENIED,
      "exec denied: approval timed out",
      '{\n  "status": "error",\n  "tool": "exec",\n  "error": "exec denied: user denied"\n}'
    ]) {
      const result = { ...toolResult("c1", text, 3), isError: true }
      const messages = [user("go", 1), assistant([call("c1")], 2, undefined, { stopReason: "toolUse" }), result]
      const tool = decodeHistory({ messages }).entries.find(({ item }) => item.kind === "tool")?.item
      assert.strictEqual(tool?.kind === "tool" ? tool.status : null, "denied", text)
    }
  })

  it("is denied as soon as the gateway says so", async () => {
    harness = new ChatHarness(4)
    await harness.connect()
    const turn = harness.turn(await harness.send("go"))
    turn.start()
    turn.tool("start", "c1", { name: "exec", args: { command: "rm -r ./old" } })
    turn.tool("result", "c1", { isError: true, result: { content: [{ type: "text", text: DENIED }] } })
    await harness.settle()
    assert.include(harness.shown.join("\n"), `tool exec denied: ${DENIED}`)
  })

  it("isn't what a command merely says", () => {
    assert.strictEqual(toolEnd(false, "log: exec denied by the other host"), "done")
    assert.strictEqual(toolEnd(true, "Permission denied"), "error")
  })
})
