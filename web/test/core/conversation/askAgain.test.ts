import { afterEach, assert, describe, it } from "@effect/vitest"
import { messagesIn } from "../../../src/core/conversation/messagesIn.ts"
import { removedParts } from "../../../src/core/conversation/removedParts.ts"
import { ChatHarness } from "../support/chatHarness.ts"
import { assistant, KEY, said, user } from "../support/turnFrames.ts"

let harness: ChatHarness
afterEach(() => harness.dispose())

const methodsAsked = () =>
  harness.gateway.socket.requests.flatMap(({ method, params }) =>
    method === "sessions.rewind"
      ? [`rewind ${params.entryId}`]
      : method === "chat.send"
        ? [`send ${params.message}`]
        : []
  )
const open = async (methods: ReadonlyArray<string>) => {
  harness = new ChatHarness(4, (gateway) => {
    gateway.methods = methods
    gateway.messages = [
      user("one", 1, "r1", "q1"),
      assistant([said("first")], 2, "r1"),
      user("two", 3, "r2", "q2"),
      assistant([said("second")], 4, "r2")
    ]
    gateway.answers["sessions.rewind"] = ({ params }) => {
      const index = gateway.messages.findIndex((message) => JSON.stringify(message).includes(`"${params.entryId}"`))
      gateway.messages = gateway.messages.slice(0, index)
      return { editorText: "one", editorAttachments: [{ mimeType: "image/png", data: "AAAA" }] }
    }
  })
  await harness.connect()
}

describe("asking again", () => {
  it("takes the question and what followed out of the session, and asks in the new words", async () => {
    await open(["sessions.rewind"])
    const done = await harness.chat.askAgain(harness.users[0]?.key ?? "", "one, please")
    await harness.settle()
    assert.isTrue(done.ok)
    assert.deepStrictEqual(methodsAsked(), ["rewind q1", "send one, please"])
    assert.deepStrictEqual(harness.shown, ["user: one, please"])
    assert.deepStrictEqual(harness.gateway.socket.last("chat.send").params.attachments, [
      { type: "image", mimeType: "image/png", fileName: "image-1", content: "AAAA" }
    ])
    await harness.pass(5_000)
    assert.deepStrictEqual(harness.shown, ["user: one, please"])
  })

  it("keeps what followed the question in this browser, and says before how much that is", async () => {
    await open(["sessions.rewind"])
    const [one, two] = harness.users
    assert.strictEqual(messagesIn(harness.chat.removedBy(one?.key ?? "")), 4)
    assert.strictEqual(messagesIn(harness.chat.removedBy(two?.key ?? "")), 2)
    await harness.chat.askAgain(one?.key ?? "", "one, please")
    const [part, ...others] = removedParts(harness.gateway.env.storage, KEY)
    assert.strictEqual(part?.messages, 4)
    for (const words of ["one", "first", "two", "second"]) assert.include(part?.text, `\n${words}\n`)
    assert.deepStrictEqual(others, [])
    assert.deepStrictEqual(removedParts(harness.gateway.env.storage, "agent:main:other"), [])
  })

  it("keeps no copy in this browser where the gateway keeps what was removed", async () => {
    await open(["sessions.rewind", "sessions.branches.list", "sessions.branches.switch"])
    const [one] = harness.users
    assert.strictEqual(messagesIn(harness.chat.removedBy(one?.key ?? "")), 4)
    assert.isTrue((await harness.chat.askAgain(one?.key ?? "", "one, please")).ok)
    assert.deepStrictEqual(removedParts(harness.gateway.env.storage, KEY), [])
  })

  it("shows what another page switched to", async () => {
    await open(["sessions.rewind"])
    harness.gateway.messages = [user("other", 5, "r3", "q3"), assistant([said("third")], 6, "r3")]
    harness.gateway.socket.event("sessions.changed", { sessionKey: KEY, reason: "branch-switch" })
    await harness.pass(1_000)
    assert.deepStrictEqual(harness.shown, ["user: other", "assistant: third"])
  })

  it("asks the last question once more", async () => {
    await open(["sessions.rewind"])
    assert.isTrue((await harness.chat.regenerate()).ok)
    await harness.settle()
    assert.deepStrictEqual(methodsAsked(), ["rewind q2", "send two"])
    assert.deepStrictEqual(harness.shown, ["user: one", "assistant: first", "user: two"])
  })

  it("does not repeat a command that clears the session, about which nobody was asked", async () => {
    await open(["sessions.rewind"])
    const turn = harness.turn(await harness.send("/new hello"))
    turn.start()
    turn.final("hi")
    await harness.settle()
    const done = await harness.chat.regenerate()
    assert.isFalse(done.ok)
    assert.deepStrictEqual(methodsAsked(), ["send /new hello"])
  })

  it("comes at the end where the gateway cannot go back", async () => {
    await open([])
    assert.deepStrictEqual(harness.chat.removedBy(harness.users[0]?.key ?? ""), [])
    assert.isTrue((await harness.chat.askAgain(harness.users[0]?.key ?? "")).ok)
    assert.deepStrictEqual(removedParts(harness.gateway.env.storage, KEY), [])
    await harness.settle()
    assert.deepStrictEqual(methodsAsked(), ["send one"])
    assert.deepStrictEqual(harness.shown.slice(-2), ["assistant: second", "user: one"])
  })

  it("changes nothing when the gateway refuses, while a turn runs, and for a message that is gone", async () => {
    await open(["sessions.rewind"])
    const before = harness.shown
    harness.gateway.held.add("sessions.rewind")
    const asking = harness.chat.regenerate()
    await harness.settle()
    harness.gateway.socket.refuse(harness.gateway.socket.last("sessions.rewind"), "UNAVAILABLE", "busy")
    assert.deepStrictEqual(await asking, {
      ok: false,
      message: "The gateway is busy or still starting. Try again in a moment."
    })
    assert.deepStrictEqual(removedParts(harness.gateway.env.storage, KEY), [])
    assert.isFalse((await harness.chat.askAgain("nothing")).ok)
    harness.turn("other", 10).start()
    assert.deepStrictEqual(await harness.chat.regenerate(), { ok: false, message: "Stop the current response first." })
    assert.deepStrictEqual(harness.shown, before)
  })
})
