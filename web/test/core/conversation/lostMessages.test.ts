import { assert, describe, it } from "@effect/vitest"
import { Talk } from "../support/Talk.ts"
import { assistant, call, said, user } from "../support/turnFrames.ts"

const LOST =
  "The gateway didn't respond to this message or save it. It may be too long for the model: shorten it, or choose another model."

/** Reads the history as often as a turn that ended asks for it; the delays before each read. */
function settle(talk: Talk, messages: ReadonlyArray<object>): ReadonlyArray<number | null> {
  const delays: Array<number | null> = []
  talk.history(messages, false)
  for (let delay = talk.timer("read"); delay !== null && delays.length < 9; delay = talk.timer("read")) {
    delays.push(delay)
    talk.elapse("read")
    talk.history(messages, false)
  }
  return delays
}

describe.each([3, 4])("a turn that ends without a word, protocol %i", (protocol) => {
  const run = (id: string) => (protocol === 4 ? id : undefined)
  const silent = (text: string) => {
    const talk = new Talk(protocol)
    talk.history([], false)
    const id = talk.say(text)
    talk.turn(id).start()
    talk.turn(id).final(null)
    return { talk, id }
  }

  it("gives the message back where the history never has it", () => {
    const { talk } = silent("far too much")
    assert.deepStrictEqual(settle(talk, []), [300, 1_000, 3_000])
    const [item] = talk.screen.items
    assert.deepStrictEqual(talk.shown, ["user(failed): far too much"])
    assert.strictEqual(item?.kind === "user" ? item.error : null, LOST)
    talk.happen({ type: "retry", key: item?.key ?? "", id: "again" })
    assert.deepInclude(talk.last("hand").message, { id: "again", text: "far too much" })
  })

  it("says nothing where the agent chose to be silent", () => {
    const { talk, id } = silent("just so you know")
    settle(talk, [user("just so you know", 10_000, run(id))])
    assert.deepStrictEqual(talk.shown, ["user: just so you know"])
  })

  it("says nothing of a command", () => {
    const { talk } = silent("/quiet")
    settle(talk, [])
    assert.deepStrictEqual(talk.shown, ["user: /quiet"])
  })
})

describe("a tool that was stopped and that the gateway forgot", () => {
  it("stays on the screen as stopped until the next connection", () => {
    const talk = new Talk(4)
    talk.history([], false)
    const id = talk.say("go")
    const turn = talk.turn(id)
    turn.start()
    turn.text("let me look", "let me look")
    turn.tool("start", "c1", { args: {} })
    turn.aborted("let me look")
    const note = { openclawAbort: { aborted: true, runId: id }, provider: "openclaw", model: "gateway-injected" }
    const stored = [user("go", 10_000, id), assistant([said("let me look")], 10_100, id, note)]
    settle(talk, stored)
    assert.deepStrictEqual(talk.shown, ["user: go", "assistant: let me look", "tool exec aborted: ", "aborted"])
    talk.disconnect()
    talk.connect()
    talk.history(stored, false)
    assert.deepStrictEqual(talk.shown, ["user: go", "assistant: let me look", "aborted"])
  })

  it("is there once where the gateway has it after all", () => {
    const talk = new Talk(4)
    talk.history([], false)
    const id = talk.say("go")
    talk.turn(id).tool("start", "c1", { args: {} })
    talk.turn(id).aborted(null)
    settle(talk, [user("go", 10_000, id), assistant([call("c1")], 10_100, id, { stopReason: "toolUse" })])
    assert.deepStrictEqual(talk.shown, ["user: go", "tool exec aborted: ", "aborted"])
  })
})
