import { assert, describe, it } from "@effect/vitest"
import type { Queued, StoredMessage } from "../../../src/services/outbox/outboxMessage.ts"
import {
  arrivalOf,
  fateOf,
  hasMessage,
  moved,
  type NextStep,
  nextStep,
  type SessionEvidence
} from "../../../src/services/outbox/outboxRules.ts"

const waiting = (id: string, more: Partial<Queued> = {}): Queued => ({
  id,
  text: id,
  mode: "next",
  notBefore: undefined,
  state: "waiting",
  attachments: 0,
  ...more
})
const free = { isBusy: false, now: 1_000, protocol: 4 }
const busy = { ...free, isBusy: true }
const older = { ...busy, protocol: 3 }
const WAIT: NextStep = { type: "wait" }
const send = (id: string, steer = false): NextStep => ({ type: "send", id, steer })

describe("what goes next", () => {
  it("is the first, once the session is free", () => {
    const queue = [waiting("a"), waiting("b")]
    assert.deepStrictEqual(nextStep(queue, free), send("a"))
    assert.deepStrictEqual(nextStep(queue, busy), WAIT)
    assert.deepStrictEqual(nextStep([], free), WAIT)
  })

  it("is nothing while one is on its way, or nobody knows whether one arrived; what failed holds nothing back", () => {
    assert.deepStrictEqual(nextStep([waiting("a", { state: "sending" }), waiting("b")], free), WAIT)
    assert.deepStrictEqual(nextStep([waiting("a", { state: "unsure" }), waiting("b")], free), WAIT)
    assert.deepStrictEqual(nextStep([waiting("a", { state: "failed" }), waiting("b")], free), send("b"))
    assert.deepStrictEqual(nextStep([waiting("a", { state: "handed" }), waiting("b")], free), send("b"))
  })

  it("passes over what waits for a time", () => {
    const queue = [waiting("later", { notBefore: 1_001 }), waiting("b")]
    assert.deepStrictEqual(nextStep(queue, free), send("b"))
    assert.deepStrictEqual(nextStep(queue, { ...free, now: 1_001 }), send("later"))
  })

  it("is handed to the running response where the gateway can", () => {
    const queue = [waiting("a"), waiting("b", { mode: "steer" })]
    assert.deepStrictEqual(nextStep(queue, busy), send("b", true))
    assert.deepStrictEqual(nextStep(queue, older), WAIT)
    assert.deepStrictEqual(nextStep(queue, free), send("a"))
    // A newer gateway fails the response when a command comes in between.
    assert.deepStrictEqual(nextStep([waiting("/status", { mode: "steer" })], busy), WAIT)
  })

  it("stops the running response first, before all others", () => {
    const queue = [waiting("a"), waiting("b", { mode: "interrupt" })]
    assert.deepStrictEqual(nextStep(queue, busy), { type: "stop" })
    assert.deepStrictEqual(nextStep(queue, older), { type: "stop" })
    assert.deepStrictEqual(nextStep(queue, free), send("b"))
  })

  it("is a command that the running response waits for, and any command of an older gateway", () => {
    assert.deepStrictEqual(nextStep([waiting("a"), waiting("/stop")], busy), send("/stop"))
    assert.deepStrictEqual(nextStep([waiting("/approve x allow-once")], busy), send("/approve x allow-once"))
    assert.deepStrictEqual(nextStep([waiting("/status")], busy), WAIT)
    assert.deepStrictEqual(nextStep([waiting("/status")], older), send("/status"))
    assert.deepStrictEqual(nextStep([waiting("/a picture", { attachments: 1 })], older), WAIT)
  })
})

it("a message moves among those that wait, never before one that is on its way", () => {
  const standing = (id: string, sentAt?: number) => ({ id, state: "waiting", sentAt }) as const
  const queue = [{ id: "handed", state: "handed", sentAt: 1 } as const, ...["a", "b", "c"].map((id) => standing(id))]
  assert.deepStrictEqual(moved(queue, "c", 1), ["handed", "c", "a", "b"])
  assert.deepStrictEqual(moved(queue, "c", 0), ["handed", "c", "a", "b"])
  assert.deepStrictEqual(moved(queue, "a", 99), ["handed", "b", "c", "a"])
  assert.deepStrictEqual(moved(queue, "a", 1), ["handed", "a", "b", "c"])
  // The gateway may have it: it's sent again after a crash.
  assert.deepStrictEqual(moved([standing("again", 1), standing("b"), standing("c")], "c", 0), ["again", "c", "b"])
})

describe("what became of a message whose answer was lost", () => {
  const message: StoredMessage = {
    id: "m",
    gatewayId: "primary",
    sessionKey: "s",
    text: " do it ",
    mode: "next",
    notBefore: undefined,
    createdAt: 0,
    state: "sending",
    runId: "m",
    error: undefined,
    sentAt: 100_000,
    gatewayStartedAt: 50_000
  }
  const nothing: SessionEvidence = {
    protocol: 3,
    gatewayStartedAt: 100_900,
    written: [],
    begin: 0,
    runs: new Set(),
    isRunning: false
  }
  const fate = (evidence: Partial<SessionEvidence>, now = 101_000) => fateOf(message, { ...nothing, ...evidence }, now)
  const written = (text: string, at: number, runId?: string) => ({ written: [{ text, at, runId }] })

  it("it arrived when the gateway has its id, running, waiting or written", () => {
    assert.strictEqual(fate({ runs: new Set(["m"]) }), "handed")
    assert.strictEqual(fate({ protocol: 4, ...written("something else", 0, "m") }), "handed")
  })

  it("it goes again while the same process remembers its id, and nothing runs twice", () => {
    assert.strictEqual(fate({ gatewayStartedAt: 50_000 }), "again")
    assert.strictEqual(fate({ gatewayStartedAt: 50_000 }, 100_000 + 5 * 60_000), "unsure")
    // A clock that was set back says nothing about what the gateway remembers.
    assert.strictEqual(fate({ gatewayStartedAt: 50_000 }, 99_999), "unsure")
  })

  it("the same process is known though its start is calculated anew for each connection", () => {
    for (const gatewayStartedAt of [49_920, 50_001, 50_013, 50_080]) {
      assert.strictEqual(fate({ gatewayStartedAt }), "again")
      assert.strictEqual(arrivalOf(message, { ...nothing, gatewayStartedAt }, false), "arrived")
    }
  })

  it("it may still be coming while an older gateway answers in a session whose history is empty", () => {
    assert.strictEqual(fate({ gatewayStartedAt: 50_010, isRunning: true }, 100_000 + 5 * 60_000), "later")
    assert.strictEqual(fate({ isRunning: true, ...written("do it", 100_500) }), "handed")
    assert.strictEqual(arrivalOf(message, { ...nothing, gatewayStartedAt: 50_010, isRunning: true }, false), "coming")
    assert.strictEqual(arrivalOf(message, { ...nothing, isRunning: true }, false), "coming")
  })

  it("the end of a long history says nothing about what came before it", () => {
    const later = { protocol: 4, begin: 100_001, ...written("something else", 100_500, "other") }
    assert.strictEqual(fate(later), "unsure")
    assert.strictEqual(fate({ ...later, begin: 100_000 }), "again")
    assert.strictEqual(arrivalOf(message, { ...nothing, ...later }, false), "arrived")
    assert.strictEqual(arrivalOf(message, { ...nothing, ...later, begin: 100_000 }, false), "gone")
  })

  it("one that was given back is in the history after all: by its id, or by its text where there are no ids", () => {
    const stands = (evidence: Partial<SessionEvidence>) => hasMessage(message, { ...nothing, ...evidence })
    assert.isTrue(stands({ runs: new Set(["m"]) }))
    assert.isTrue(stands({ protocol: 4, ...written("changed", 100_500, "m") }))
    assert.isTrue(stands(written("do it", 100_500)))
    assert.isFalse(stands({ protocol: 4, ...written("do it", 100_500, "other") }))
    assert.isFalse(stands(written("do it", 90_000)))
    assert.isFalse(stands({ gatewayStartedAt: 50_000 }))
  })

  it("it goes again where every written message has its id, and this one isn't there", () => {
    assert.strictEqual(fate({ protocol: 4, ...written("do it", 100_500, "other") }), "again")
  })

  it("an older gateway that restarted only has the words and the time: otherwise nobody knows", () => {
    assert.strictEqual(fate(written("do it", 100_500)), "handed")
    assert.strictEqual(
      fate(
        written(
          'Sender (untrusted metadata):\n```json\n{"label":"x"}\n```\n\n[Mon 2026-11-23 08:00 UTC] do it',
          100_500
        )
      ),
      "handed"
    )
    assert.strictEqual(fate(written("do it", 90_000)), "unsure")
    assert.strictEqual(fate(written("do it not", 100_500)), "unsure")
    assert.strictEqual(fate({}), "unsure")
  })

  it("one that the gateway took has arrived, is coming or is gone", () => {
    const arrival = (evidence: Partial<SessionEvidence>, isBusy = false) =>
      arrivalOf(message, { ...nothing, ...evidence }, isBusy)
    assert.strictEqual(arrival({ runs: new Set(["m"]), ...written("do it", 100_500, "m") }), "coming")
    assert.strictEqual(arrival({ protocol: 4, ...written("do it", 100_500, "m") }), "arrived")
    assert.strictEqual(arrival({ protocol: 4, ...written("do it", 100_500, "other") }, true), "gone")
    assert.strictEqual(arrival(written("do it", 100_500)), "arrived")
    assert.strictEqual(arrival({}, true), "coming")
    assert.strictEqual(arrival({ gatewayStartedAt: 50_000 }), "arrived")
    assert.strictEqual(arrival({}), "gone")
  })
})
