import { afterEach, assert, describe, it } from "@effect/vitest"
import { ChatHarness } from "../support/chatHarness.ts"
import { assistant, call, said, user } from "../support/turnFrames.ts"

let harness: ChatHarness
afterEach(() => harness.dispose())

const seen = () => {
  const { linked, running } = harness.chat.state.get()
  return { linked, running }
}

describe("a conversation without a connection", () => {
  it("says so until the gateway has sent the state on a new one", async () => {
    harness = new ChatHarness(4)
    await harness.connect()
    const id = await harness.send("go")
    const turn = harness.turn(id)
    turn.start()
    turn.tool("start", "c1", { args: {} })
    await harness.settle()
    assert.deepStrictEqual(seen(), { linked: true, running: true })
    harness.gateway.socket.drop()
    await harness.settle()
    assert.deepStrictEqual(seen(), { linked: false, running: true })
    harness.gateway.held.add("chat.history")
    await harness.pass(3_000)
    assert.isNotNull(harness.link.hello.get())
    assert.deepStrictEqual(seen(), { linked: false, running: true })
    const messages = [
      user("go", 10_000, id),
      assistant([call("c1")], 10_010, id, { stopReason: "toolUse" }),
      assistant([said("done")], 10_020, id)
    ]
    const { socket } = harness.gateway
    socket.answer(socket.last("chat.history"), { messages, sessionInfo: { hasActiveRun: false } })
    await harness.settle()
    assert.deepStrictEqual(seen(), { linked: true, running: false })
    assert.deepStrictEqual(harness.shown, ["user: go", "tool exec aborted: ", "assistant: done"])
  })
})
