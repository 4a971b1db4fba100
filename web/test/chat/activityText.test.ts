import { assert, describe, it } from "@effect/vitest"
import { chatStatusOf, chatStatusText, whileWaiting } from "../../src/chat/chatActivity.ts"
import type { Activity, ChatItem } from "../../src/core/conversation/chatTypes.ts"

describe("the state of a conversation", () => {
  const failure: ChatItem = { kind: "error", key: "e", at: null, message: "no" }
  const label = (activity: Activity, waits = false, aborting = false, items: ReadonlyArray<ChatItem> = []) =>
    chatStatusText(whileWaiting(chatStatusOf({ activity, aborting, items, linked: true }), waits))

  it("is said in the words of the tools and lists, stopping above all", () => {
    assert.strictEqual(label("THINKING"), "Working")
    assert.strictEqual(label("STREAMING"), "Working")
    assert.strictEqual(label("THINKING", true), "Waiting for you")
    assert.strictEqual(label("DONE"), "Done")
    assert.strictEqual(label("IDLE"), "")
    assert.strictEqual(label("STREAMING", false, true), "Stopping")
    assert.strictEqual(label("THINKING", true, true), "Stopping")
  })

  it("claims no work while nothing is heard of it", () => {
    const unlinked = (activity: Activity, aborting = false) =>
      chatStatusText(
        whileWaiting(chatStatusOf({ activity, aborting, items: [], linked: false }), activity === "STREAMING")
      )
    assert.strictEqual(unlinked("THINKING"), "Waiting for the connection")
    assert.strictEqual(unlinked("STREAMING", true), "Waiting for the connection")
    assert.strictEqual(unlinked("DONE"), "Done")
    assert.strictEqual(unlinked("IDLE"), "")
  })

  it("says that what the agent wanted wasn't allowed, even where that ended its response", () => {
    const tool = (status: "done" | "denied"): ChatItem => ({
      kind: "tool",
      key: "t",
      at: null,
      callId: "t",
      name: "exec",
      args: {},
      title: null,
      output: "",
      status,
      startedAt: null,
      durationMs: null
    })
    assert.strictEqual(label("DONE", false, false, [tool("denied")]), "Denied")
    assert.strictEqual(label("IDLE", false, false, [tool("denied"), failure]), "Denied")
    assert.strictEqual(label("DONE", false, false, [tool("denied"), tool("done")]), "Done")
  })

  it("says that the last response failed, until there is another", () => {
    assert.strictEqual(label("IDLE", false, false, [failure]), "Failed")
    assert.strictEqual(label("THINKING", false, false, [failure]), "Working")
  })
})
