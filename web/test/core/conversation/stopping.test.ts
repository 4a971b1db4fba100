import { assert, describe, it } from "@effect/vitest"
import { conversationFailure } from "../../../../src/contract/failures/conversation.ts"
import { Talk } from "../support/Talk.ts"
import { assistant, said, user } from "../support/turnFrames.ts"

const NOTHING = { ok: false, failure: conversationFailure("NOTHING_TO_STOP") } as const

/** A turn that speaks, as this page thinks, with a message that waits behind it. */
function speaking(protocol: number): Talk {
  const talk = new Talk(protocol)
  talk.history([], false)
  const turn = talk.turn(talk.say("go"))
  turn.start()
  turn.text("half", "half")
  talk.write("next")
  talk.take("waiting")
  return talk
}

/** Stop is pressed, and the gateway answers this. */
function stop(talk: Talk, answer: object): void {
  talk.happen({ type: "abort", call: 1 })
  assert.deepStrictEqual(talk.last("request").method, "chat.abort")
  talk.answer(answer)
}

describe.each([3, 4])("a stop of which the gateway says that nothing runs, protocol %i", (protocol) => {
  const run = (id: string) => (protocol >= 4 ? id : undefined)

  it("ends the turn on the page, and says so", () => {
    const talk = speaking(protocol)
    stop(talk, { ok: true, aborted: false, runIds: [] })
    assert.isFalse(talk.screen.running)
    assert.isFalse(talk.screen.aborting)
    assert.deepStrictEqual(talk.last("result").result, NOTHING)
    assert.deepStrictEqual(talk.shown, ["user: go", "assistant: half", "aborted", "user(sending): next"])
    talk.history([user("go", 10_000, run("id-1"))], false)
    assert.deepStrictEqual(talk.shown, ["user: go", "assistant: half", "aborted", "user(sending): next"])
  })

  it("leaves nothing of it where the history has the end of the answer", () => {
    const talk = speaking(protocol)
    stop(talk, { ok: true, aborted: false, runIds: [] })
    talk.history([user("go", 10_000, run("id-1")), assistant([said("half and whole")], 10_010, run("id-1"))], false)
    assert.deepStrictEqual(talk.shown, ["user: go", "assistant: half and whole", "user(sending): next"])
  })

  it("goes on where it was when more is heard of the turn after all", () => {
    const talk = speaking(protocol)
    stop(talk, { ok: true, aborted: false, runIds: [] })
    talk.turn("id-1").text("half and more", " and more")
    assert.isTrue(talk.screen.running)
    talk.turn("id-1").final("half and more")
    talk.history([user("go", 10_000, run("id-1")), assistant([said("half and more")], 10_010, run("id-1"))], false)
    assert.deepStrictEqual(talk.shown, ["user: go", "assistant: half and more", "user(sending): next"])
    const keys = talk.screen.items.map(({ key }) => key)
    assert.strictEqual(new Set(keys).size, keys.length, "keys are unique")
  })

  it("does not end a turn that was heard of after the question", () => {
    const talk = speaking(protocol)
    talk.happen({ type: "abort", call: 1 })
    talk.turn("id-1").text("half and more", " and more")
    talk.answer({ ok: true, aborted: false, runIds: [] })
    assert.isTrue(talk.screen.running)
    assert.deepStrictEqual(talk.last("result").result, NOTHING)
  })
})

describe("a list of sessions that calls a turn running which the gateway does not know", () => {
  const open = (): Talk => {
    const talk = new Talk(3)
    talk.history([user("go", 10_000)], true)
    return talk
  }

  it("does not start the turn again after the stop", () => {
    const talk = open()
    assert.isTrue(talk.screen.running)
    talk.write("next")
    talk.take("waiting")
    stop(talk, { ok: true, aborted: false, runIds: [] })
    talk.history([user("go", 10_000)], true)
    assert.isFalse(talk.screen.running)
    assert.deepStrictEqual(talk.shown, ["user: go", "user(sending): next"])
  })

  it("is believed again once a turn was heard of", () => {
    const talk = open()
    stop(talk, { ok: true, aborted: false, runIds: [] })
    talk.history([user("go", 10_000)], true)
    talk.turn("other", 20_000).start()
    talk.happen({ type: "resync" })
    talk.history([user("go", 10_000), user("again", 20_000)], true)
    assert.isTrue(talk.screen.running)
  })
})
