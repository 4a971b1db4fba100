import { assert, describe, it } from "@effect/vitest"
import {
  afterTurn,
  NOTHING_QUEUED,
  placeOf,
  type TurnQueue,
  withHanded,
  withWaiting
} from "../../src/chat/turnQueue.ts"

describe("what comes while a turn is running", () => {
  it.each([
    ["a chat message", { kind: "chat" }, "new", "apart"],
    ["a chat message on the older generation", { kind: "chat" }, "old", "apart"],
    ["a message for the turn", { kind: "chat", steers: true }, "new", "handed"],
    ["a message for the turn, which the older generation doesn't know", { kind: "chat", steers: true }, "old", "apart"],
    ["a scheduled job", { kind: "cron" }, "new", "waiting"],
    ["a helper's end, whatever it says", { kind: "announce", steers: true }, "new", "waiting"]
  ] as const)("%s", (_name, request, generation, place) => {
    assert.strictEqual(placeOf(request, generation === "new"), place)
  })
})

describe("the queue behind a turn", () => {
  const filled = (): TurnQueue<string> =>
    withWaiting(withHanded(withWaiting(withHanded<string>(NOTHING_QUEUED, "for it 1"), "own 1"), "for it 2"), "own 2")

  it("keeps what is for the turn apart from what waits, each in its order", () => {
    assert.deepStrictEqual(filled(), { handed: ["for it 1", "for it 2"], waiting: ["own 1", "own 2"] })
    assert.deepStrictEqual(NOTHING_QUEUED, { handed: [], waiting: [] })
  })

  it("gives what the turn didn't read any more turns of its own, after those that wait", () => {
    assert.deepStrictEqual(afterTurn(filled()), { handed: [], waiting: ["own 1", "own 2", "for it 1", "for it 2"] })
  })
})
