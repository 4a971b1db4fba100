import { assert, describe, it } from "@effect/vitest"
import {
  delayText,
  deliveryMark,
  fieldTime,
  repeatsReason,
  timeInField,
  waitingReason
} from "../../../src/chat/delivery/deliveryText.ts"
import { dropTarget } from "../../../src/chat/delivery/dragInQueue.ts"
import type { UserItem } from "../../../src/core/conversation/chatTypes.ts"

const message = (more: Partial<UserItem>): UserItem => ({
  kind: "user",
  key: "m",
  at: 1,
  text: "hello",
  images: [],
  delivery: "sent",
  error: null,
  ...more
})
const waits = (state: NonNullable<UserItem["waits"]>["state"], notBefore: number | null = null) =>
  ({ id: "m", mode: "next", position: 0, notBefore, state }) as const

describe("how far a message has come", () => {
  it.each([
    ["on its way to the console", message({ delivery: "sending", waits: waits("taking") }), 0, "Sending…"],
    ["kept by the console", message({ delivery: "held", waits: waits("waiting") }), 1, "Kept by the console"],
    ["handed over", message({ isHanded: true }), 2, "Handed to the agent"],
    ["read", message({}), 2, "Read by the agent"],
    ["waiting at the gateway", message({ delivery: "queued" }), 2, "Handed to the agent"]
  ])("is said of one that is %s", (_, item, ticks, text) => {
    const mark = deliveryMark(item)
    assert.strictEqual(mark?.ticks, ticks)
    assert.strictEqual(mark?.text, text)
  })

  it("is said in words where it takes longer", () => {
    const of = (more: Partial<UserItem>) => delayText(message(more))
    assert.match(of({ delivery: "sending", waits: waits("away") }) ?? "", /^Sends when you're back online/)
    assert.match(of({ delivery: "queued", isHanded: true }) ?? "", /^Sent to the agent, which reads it/)
    assert.strictEqual(of({ delivery: "queued" }), "Queued after the current response")
    for (const delivery of ["sent", "sending", "held", "failed"] as const) assert.isNull(of({ delivery }))
  })

  it("is said elsewhere where a person has something to decide", () => {
    assert.isNull(deliveryMark(message({ delivery: "failed" })))
    assert.isNull(deliveryMark(message({ delivery: "unsure" })))
  })

  it("is said once of messages that wait for the same, one below the other", () => {
    const held = (key: string, notBefore: number | null = null) =>
      message({ key, delivery: "held", waits: waits("waiting", notBefore) })
    const items = [message({ key: "a" }), held("b"), held("c"), held("d", 9), held("e"), held("f")]
    assert.deepStrictEqual(
      items.filter(({ key }) => repeatsReason(items, key)).map(({ key }) => key),
      ["c", "f"]
    )
  })
})

describe("what a message waits for", () => {
  const world = { running: true, reached: true, linked: true, isAsked: false, now: 1_000 }
  const held = message({ delivery: "held", waits: waits("waiting") })

  it("is the response, the question, the gateway or a time, whatever lasts longest", () => {
    assert.strictEqual(waitingReason(held, world), "Waiting for the current response")
    assert.strictEqual(
      waitingReason(held, { ...world, isAsked: true }),
      "Waiting until the agent's question is settled"
    )
    assert.strictEqual(waitingReason(held, { ...world, isAsked: true, linked: false }), "Waiting for the gateway")
    assert.strictEqual(waitingReason(held, { ...world, reached: false, linked: false }), "Waiting for the connection")
    assert.strictEqual(waitingReason(held, { ...world, running: false }), "Waiting for the message before it")
    const later = message({ delivery: "held", waits: waits("waiting", 90_000_000) })
    assert.match(waitingReason(later, { ...world, linked: false }), /^Scheduled for .*\d\d/)
    assert.strictEqual(waitingReason(later, { ...world, now: 90_000_001 }), "Waiting for the current response")
  })
})

describe("where a dragged message goes", () => {
  const all = [
    { key: "a", middle: 100 },
    { key: "b", middle: 200 },
    { key: "c", middle: 300 }
  ]

  it.each([
    ["c", 90, "a"],
    ["c", 150, "b"],
    ["c", 290, null],
    ["a", 250, "b"],
    ["a", 900, "c"],
    ["a", 20, null],
    ["b", 99, "a"],
    ["b", 301, "c"],
    ["b", 200, null]
  ])("is %s at %i: the place of %s", (key, at, target) => {
    assert.strictEqual(dropTarget(all, key, at), target)
  })
})

describe("the time in a field", () => {
  it("is the local one, rounded up to the minute", () => {
    const at = new Date(2031, 4, 6, 7, 8, 9).getTime()
    assert.strictEqual(fieldTime(at), "2031-05-06T07:09")
    assert.strictEqual(timeInField("2031-05-06T07:09"), new Date(2031, 4, 6, 7, 9).getTime())
  })

  it("is nothing while it's incomplete", () => {
    for (const text of ["", "2031-05-06", "2031-13-45T99:99", "soon"]) assert.isNull(timeInField(text))
  })
})
