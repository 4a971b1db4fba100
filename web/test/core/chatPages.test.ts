import { afterEach, assert, describe, it } from "@effect/vitest"
import { ChatHarness } from "./support/chatHarness.ts"
import { assistant, said, user } from "./support/turnFrames.ts"

let harness: ChatHarness
afterEach(() => harness.dispose())

describe("older pages", () => {
  it("load upwards while there are any", async () => {
    harness = new ChatHarness(3, (gateway) => {
      gateway.messages = Array.from({ length: 150 }, (_, index) => user(`m${index}`, index + 1))
    })
    await harness.connect()
    assert.deepStrictEqual([harness.items.length, harness.chat.state.get().hasOlder], [100, true])
    const keys = harness.items.map(({ key }) => key)
    await harness.chat.loadOlder()
    assert.deepStrictEqual([harness.items.length, harness.chat.state.get().hasOlder], [150, false])
    assert.deepStrictEqual(
      harness.items.slice(50).map(({ key }) => key),
      keys
    )
  })

  it("a turn after which the short read no longer overlaps is read in whole", async () => {
    harness = new ChatHarness(4, (gateway) => {
      gateway.messages = [user("old", 1, "r0")]
    })
    await harness.connect()
    harness.gateway.messages = [
      ...harness.gateway.messages,
      ...Array.from({ length: 60 }, (_, index) => assistant([said(`part ${index}`)], 10_000 + index, "r1"))
    ]
    const turn = harness.turn("r1")
    turn.start()
    turn.final("part 59")
    await harness.settle()
    assert.strictEqual(harness.items.length, 61)
    assert.strictEqual(harness.shown[0], "user: old")
  })
})

describe("a page that stays open for long", () => {
  it("keeps the newest items, and the older ones can be loaded again", async () => {
    const parts = Array.from({ length: 20 }, (_, part) => said(`part ${part}`))
    harness = new ChatHarness(4, (gateway) => {
      gateway.messages = Array.from({ length: 90 }, (_, index) => assistant(parts, index + 1, `r${index}`))
    })
    await harness.connect()
    assert.strictEqual(harness.items.length, 1_800)
    harness.gateway.messages = [...harness.gateway.messages, assistant([said("newest")], 20_000, "now")]
    const turn = harness.turn("now", 20_000)
    turn.start()
    turn.text("newest", "newest")
    turn.final("newest")
    await harness.settle()
    assert.deepStrictEqual([harness.items.length, harness.chat.state.get().hasOlder], [1_500, true])
    assert.strictEqual(harness.shown.at(-1), "assistant: newest")
    await harness.chat.loadOlder()
    assert.strictEqual(harness.items.length, 1_801)
  })
})
