import { assert, describe, it } from "@effect/vitest"
import { wasCutOff } from "../../../src/core/sessions/sessionRows.ts"
import { Talk } from "../support/Talk.ts"
import { assistant, call, said, user } from "../support/turnFrames.ts"

const FIRST = user("go", 10_000, undefined, "q1")
const RESTARTED = "error: The gateway restarted before the agent finished its response."

describe("a turn that the gateway's end cut off, seen by a page that was opened later", () => {
  const opened = (messages: ReadonlyArray<object>): Talk => {
    const talk = new Talk(3)
    talk.history(messages, false, { isCut: true })
    return talk
  }

  it("says so behind what the history has of it", () => {
    const talk = opened([FIRST])
    assert.deepStrictEqual(talk.shown, ["user: go", RESTARTED])
    assert.isFalse(talk.screen.running)
    talk.happen({ type: "resync" })
    talk.history([FIRST], false, { isCut: true })
    assert.deepStrictEqual(talk.shown, ["user: go", RESTARTED])
  })

  it("leaves no tool running", () => {
    const talk = opened([FIRST, assistant([said("half"), call("c1")], 10_010, undefined, { stopReason: "toolUse" })])
    assert.deepStrictEqual(talk.shown, ["user: go", "assistant: half", "tool exec aborted: ", RESTARTED])
  })

  it("says nothing where the last turn has an end", () => {
    for (const more of [{}, { stopReason: "aborted" }, { stopReason: "error", errorMessage: "HTTP 500" }])
      assert.notInclude(opened([FIRST, assistant([said("whole")], 10_010, undefined, more)]).shown, RESTARTED)
    assert.deepStrictEqual(opened([]).shown, [])
  })

  it("stays where it was when the conversation goes on, and after a reconnect the history decides", () => {
    const talk = opened([FIRST])
    const id = talk.say("again")
    talk.turn(id, 20_000).final("here")
    const messages = [FIRST, user("again", 20_000, undefined, "q2"), assistant([said("here")], 20_010)]
    talk.history(messages, false)
    assert.deepStrictEqual(talk.shown, ["user: go", RESTARTED, "user: again", "assistant: here"])
    talk.disconnect()
    talk.connect()
    talk.history(messages, false)
    assert.deepStrictEqual(talk.shown, ["user: go", "user: again", "assistant: here"])
  })
})

describe("a turn that was on the screen when the gateway's process ended", () => {
  it("keeps what it said until the history is asked on another connection", () => {
    const talk = new Talk(3)
    talk.history([], false)
    const turn = talk.turn(talk.say("go"))
    turn.start()
    turn.text("half", "half")
    talk.disconnect()
    talk.connect(talk.now + 1)
    talk.history([FIRST], false, { isCut: true })
    const id = talk.say("again")
    talk.turn(id, 10_500).start()
    talk.turn(id, 10_500).final("here")
    talk.history([FIRST, user("again", 10_500), assistant([said("here")], 10_600)], false)
    assert.deepStrictEqual(talk.shown, ["user: go", "assistant: half", RESTARTED, "user: again", "assistant: here"])
  })

  it("is said behind a tool whose words before it the gateway gives as a message of its own", () => {
    const talk = new Talk(4)
    talk.history([], false)
    const id = talk.say("go")
    const turn = talk.turn(id)
    turn.start()
    turn.text("let me look", "let me look")
    turn.tool("start", "c1")
    talk.disconnect()
    talk.connect(talk.now + 1)
    const segment = { openclawStreamFallback: { replacementText: "let me look", source: "segment", itemId: "s1" } }
    const messages = [
      user("go", 10_000, id, "q1"),
      assistant([said("let me look")], 10_010, id, segment),
      assistant([call("c1")], 10_010, id, { stopReason: "toolUse" })
    ]
    talk.history(messages, false)
    const expected = ["user: go", "assistant: let me look", "tool exec aborted: ", RESTARTED]
    assert.deepStrictEqual(talk.shown, expected)
    talk.happen({ type: "resync" })
    talk.history(messages, false)
    assert.deepStrictEqual(talk.shown, expected)
  })

  it.each([
    ["while it was being said", "half"],
    ["with its last words on the screen", "half and whole"],
    ["before its first word", ""]
  ])("has its model and tokens without a reload if it ended while the console was down: %s", (_, seen) => {
    const talk = new Talk(4)
    talk.history([], false)
    const id = talk.say("go")
    const turn = talk.turn(id)
    turn.start()
    if (seen !== "") turn.text(seen, seen)
    talk.disconnect()
    talk.connect()
    const asked = user("go", 10_000, id, "q1")
    // The gateway may write the answer down a moment later.
    talk.history([asked], false)
    const cost = { model: "swift", usage: { input: 12, output: 3 } }
    talk.elapse("read")
    talk.history([asked, assistant([said("half and whole")], 10_010, id, cost)], false)
    assert.deepStrictEqual(talk.shown, ["user: go", "assistant: half and whole"])
    const usage = { input: 12, output: 3, cost: null }
    assert.deepInclude(talk.screen.items.at(-1), { model: "swift", usage, streaming: false })
  })

  it("stays before the next one where the gateway had not stored anything of a new session", () => {
    const talk = new Talk(3)
    talk.history([], false)
    talk.turn(talk.say("go")).start()
    talk.disconnect()
    talk.connect(talk.now + 1)
    talk.history([], false, { isCut: true })
    assert.deepStrictEqual(talk.shown, ["user: go", RESTARTED])
    const id = talk.say("again")
    talk.turn(id, 20_000).final("here")
    talk.history([user("again", 20_000), assistant([said("here")], 20_100)], false)
    assert.deepStrictEqual(talk.shown, ["user: go", RESTARTED, "user: again", "assistant: here"])
  })

  it("keeps what it said also where only the list of sessions reports the restart", () => {
    const talk = new Talk(3)
    talk.history([], false)
    const turn = talk.turn(talk.say("go"))
    turn.start()
    turn.text("half", "half")
    talk.disconnect()
    talk.connect()
    talk.history([FIRST], false, { isCut: true })
    assert.deepStrictEqual(talk.shown, ["user: go", "assistant: half", RESTARTED])
  })

  it("is not ended by a gateway that began before it was last heard of, or that does not report when", () => {
    for (const startedAt of [1, null]) {
      const talk = new Talk(4)
      talk.history([], false)
      talk.turn(talk.say("go")).start()
      talk.disconnect()
      talk.connect(startedAt)
      assert.isTrue(talk.screen.running)
      assert.deepStrictEqual(talk.shown, ["user: go"])
    }
  })
})

describe("what the list of sessions says about a restart", () => {
  it.each([
    ["began before the process, and never ended", 10, null, 20, true],
    ["began before the process, and an older one ended before it", 10, 5, 20, true],
    ["began before the process, and ended", 10, 15, 20, false],
    ["began after the process", 30, null, 20, false],
    ["never began", null, null, 20, false],
    ["began while nobody knows when the process did", 10, null, null, false]
  ])("of a turn that %s", (_, startedAt, endedAt, gatewayStartedAt, expected) => {
    assert.strictEqual(wasCutOff({ startedAt, endedAt }, gatewayStartedAt), expected)
  })

  it("of a session that is not in it", () => assert.isFalse(wasCutOff(null, 20)))
})
