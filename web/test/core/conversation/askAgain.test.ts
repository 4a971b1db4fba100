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

describe("another response after a failure", () => {
  const asked = () => harness.gateway.sockets.flatMap(({ requests }) => requests).filter(isAsked)
  const isAsked = ({ method }: { method: string }) => method === "sessions.rewind" || method === "chat.send"
  const SORRY = "error: The model's provider rejected the request. Try another model."
  const KNOWN = ["user: one", "assistant: first", "user: two", "assistant: second"]

  const fail = (id: string) => {
    const turn = harness.turn(id)
    turn.start()
    turn.chat("error", { errorMessage: "HTTP 400" })
  }
  /** A message whose turn fails. */
  const askInVain = async (text: string) => {
    const id = await harness.send(text)
    fail(id)
    return id
  }
  const stored = (id: string) => assistant([], 10_100, id, { stopReason: "error", errorMessage: "HTTP 400" })
  const regenerate = async () => {
    const before = asked().length
    const doing = harness.chat.regenerate()
    await harness.settle()
    const done = await doing
    await harness.settle()
    return {
      done,
      asked: asked()
        .slice(before)
        .map(({ method, params }) => `${method} ${params.entryId ?? params.message}`)
    }
  }

  it("sends the question that the gateway didn't keep again, in place of the one that failed", async () => {
    await open(["sessions.rewind"])
    const id = await askInVain("three")
    await harness.pass(6_000)
    assert.deepStrictEqual(harness.shown, [...KNOWN, "user: three", SORRY])
    assert.deepStrictEqual((await regenerate()).asked, ["chat.send three"])
    assert.notStrictEqual(harness.gateway.socket.last("chat.send").params.idempotencyKey, id)
    assert.deepStrictEqual(harness.shown, [...KNOWN, "user: three"])
  })

  it("does so after a reconnect, too, where the gateway only kept the failure", async () => {
    await open(["sessions.rewind"])
    const id = await askInVain("three")
    harness.gateway.messages = [...harness.gateway.messages, stored(id)]
    await harness.pass(6_000)
    harness.gateway.socket.drop()
    await harness.pass(5_000)
    assert.deepStrictEqual(harness.shown, [...KNOWN, "user: three", SORRY])
    assert.deepStrictEqual((await regenerate()).asked, ["chat.send three"])
    assert.deepStrictEqual(harness.shown, [...KNOWN, "user: three", SORRY, "user: three"])
  })

  it("goes back to no other question where a reloaded page can't know the one that failed", async () => {
    await open(["sessions.rewind"])
    harness.gateway.messages = [...harness.gateway.messages, stored("r3")]
    await harness.chat.resync()
    assert.deepStrictEqual(harness.shown, [...KNOWN, SORRY])
    assert.deepStrictEqual(await regenerate(), {
      done: {
        ok: false,
        message: "The message that this response was for is no longer in the conversation. Write it again."
      },
      asked: []
    })
  })

  it("goes back to the question that failed where the gateway kept it, even just now", async () => {
    await open(["sessions.rewind"])
    const id = await askInVain("three")
    await harness.settle()
    harness.gateway.messages = [...harness.gateway.messages, user("three", 10_000, id, "q3"), stored(id)]
    assert.deepStrictEqual((await regenerate()).asked, ["sessions.rewind q3", "chat.send three"])
    assert.deepStrictEqual(harness.shown, [...KNOWN, "user: three"])
  })

  it("is for the question that failed, not for what waited behind it, which stays to be sent", async () => {
    await open(["sessions.rewind"])
    const id = await harness.send("three")
    harness.turn(id).start()
    harness.chat.send("four")
    await harness.settle()
    fail(id)
    harness.gateway.messages = [...harness.gateway.messages, user("three", 10_000, id, "q3"), stored(id)]
    await harness.pass(6_000)
    assert.deepStrictEqual(harness.shown, [...KNOWN, "user: three", SORRY, "user(failed): four"])
    assert.strictEqual(messagesIn(harness.chat.removedBy(harness.users[2]?.key ?? "")), 1)
    assert.deepStrictEqual((await regenerate()).asked, ["sessions.rewind q3", "chat.send three"])
    assert.deepStrictEqual(harness.shown, [...KNOWN, "user(failed): four", "user: three"])
  })

  it("sends a message that the gateway refused, once", async () => {
    await open(["sessions.rewind"])
    harness.gateway.held.add("chat.send")
    harness.chat.send("three")
    await harness.settle()
    harness.gateway.socket.refuse(harness.gateway.socket.last("chat.send"), "UNAVAILABLE", "busy")
    await harness.settle()
    harness.gateway.held.delete("chat.send")
    assert.deepStrictEqual((await regenerate()).asked, ["chat.send three"])
    assert.deepStrictEqual(harness.shown, [...KNOWN, "user: three"])
  })

  it("goes back to the question of a turn that the gateway's end cut off", async () => {
    await open(["sessions.rewind"])
    const half = assistant([said("half")], 6, "r3", { stopReason: "toolUse" })
    harness.gateway.messages = [...harness.gateway.messages, user("three", 5, "r3", "q3"), half]
    harness.isCut = true
    await harness.chat.resync()
    assert.match(harness.shown.at(-1) ?? "", /^error: The gateway restarted/)
    assert.deepStrictEqual((await regenerate()).asked, ["sessions.rewind q3", "chat.send three"])
  })

  it("goes back to the start of a turn that got more messages while it ran", async () => {
    await open(["sessions.rewind"])
    const more = [user("three", 5, "r3", "q3"), assistant([said("half")], 6, "r3"), user("more", 7, "r4", "q4")]
    harness.gateway.messages = [...harness.gateway.messages, ...more, stored("r3")]
    await harness.chat.resync()
    assert.deepStrictEqual((await regenerate()).asked, ["sessions.rewind q3", "chat.send three"])
  })
})
