import { assert, describe, it } from "@effect/vitest"
import { Talk } from "../support/Talk.ts"
import { assistant, said, user } from "../support/turnFrames.ts"

const MESSAGES = [user("go", 1, undefined, "q"), assistant([said("here")], 2)]

const open = (): Talk => {
  const talk = new Talk(3)
  talk.history(MESSAGES, false, { extras: { sessionId: "s1" } })
  return talk
}

describe("a session that is deleted elsewhere", () => {
  it("says so at once, and shows what the console gives back", () => {
    const talk = open()
    talk.turn("other").start()
    talk.write("next")
    talk.take("waiting")
    talk.event("sessions.changed", { reason: "delete" })
    assert.isTrue(talk.screen.deleted)
    talk.elapse("read")
    talk.history([], false)
    assert.isTrue(talk.screen.deleted)
    talk.take("failed")
    assert.deepStrictEqual(talk.shown, ["user(failed): next"])
  })

  it("says so after a reconnect, too", () => {
    const talk = open()
    talk.disconnect()
    talk.connect()
    talk.history([], false)
    assert.isTrue(talk.screen.deleted)
  })

  it("does not say so of one that was emptied, or that never had a message", () => {
    const talk = open()
    talk.event("sessions.changed", { reason: "reset" })
    talk.elapse("read")
    talk.history([], false, { extras: { sessionId: "s2" } })
    assert.isFalse(talk.screen.deleted)
    const fresh = new Talk(3)
    fresh.history([], false)
    assert.isFalse(fresh.screen.deleted)
  })

  it("is distinguished from one that never existed, until it gets a message", () => {
    const fresh = new Talk(3)
    fresh.history([], false)
    assert.isTrue(fresh.screen.isUnknown)
    fresh.say("hello")
    assert.isUndefined(fresh.screen.isUnknown)
    const empty = new Talk(3)
    empty.history([], false, { extras: { sessionId: "s1" } })
    assert.isUndefined(empty.screen.isUnknown)
  })

  it("is a session again with the next message, from here or from elsewhere", () => {
    const here = open()
    here.event("sessions.changed", { reason: "delete" })
    here.elapse("read")
    here.history([], false)
    here.say("again")
    assert.isFalse(here.screen.deleted)
    const elsewhere = open()
    elsewhere.event("sessions.changed", { reason: "delete" })
    elsewhere.elapse("read")
    elsewhere.history(MESSAGES, false, { extras: { sessionId: "s2" } })
    assert.isFalse(elsewhere.screen.deleted)
  })
})
