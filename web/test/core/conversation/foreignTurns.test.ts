import { assert, describe, it } from "@effect/vitest"
import { Talk } from "../support/Talk.ts"
import { assistant, said, user } from "../support/turnFrames.ts"

/** A stored message as the gateway sends it. */
const told = (talk: Talk, content: unknown, more: object = {}) =>
  talk.event("session.message", { message: { role: "user", content, timestamp: 9_990, ...more } })

describe.each([3, 4])("a turn that another page asked for, protocol %i", (protocol) => {
  const open = () => {
    const talk = new Talk(protocol)
    talk.history([], false)
    talk.turn("other").start()
    return talk
  }

  it("has its question above the answer as soon as it begins, and keeps its key", () => {
    const talk = open()
    told(talk, "from the phone")
    talk.turn("other").text("sure", "sure")
    assert.deepStrictEqual(talk.shown, ["user: from the phone", "assistant…: sure"])
    const keys = talk.screen.items.map(({ key }) => key)
    talk.turn("other").final("sure")
    const run = protocol === 4 ? "other" : undefined
    talk.history([user("from the phone", 10_000, run), assistant([said("sure")], 10_100, run)], false)
    assert.deepStrictEqual(talk.shown, ["user: from the phone", "assistant: sure"])
    assert.deepStrictEqual(
      talk.screen.items.map(({ key }) => key),
      keys
    )
  })

  it("takes one question, the one as it was typed, and nothing that nobody typed", () => {
    const talk = open()
    told(talk, [{ type: "text", text: "[Fri 2026-11-20 10:18 UTC] from the phone" }])
    told(talk, "The helper is done.", { provenance: { kind: "internal_system" } })
    told(talk, "an answer", { role: "assistant" })
    told(talk, "Read HEARTBEAT.md if it exists (workspace context).")
    assert.deepStrictEqual(talk.shown, [])
    told(talk, "from the phone")
    told(talk, "from the phone")
    told(talk, "something else")
    assert.deepStrictEqual(talk.shown, ["user: from the phone"])
  })

  it("is not given a question that this page asked, or that came in the middle of it", () => {
    const talk = new Talk(protocol)
    talk.history([], false)
    const id = talk.say("mine")
    talk.turn(id).start()
    told(talk, "mine")
    assert.deepStrictEqual(talk.shown, ["user: mine"])
    const late = open()
    late.turn("other").text("sure", "sure")
    told(late, "another one")
    assert.deepStrictEqual(late.shown, ["assistant…: sure"])
  })
})
