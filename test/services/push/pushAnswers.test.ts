import { assert, describe, it } from "@effect/vitest"
import { Effect, Metric } from "effect"
import { TestClock } from "effect/testing"
import { NoResponse } from "../../../src/services/push/PushTransport.ts"
import { opened, pushServices } from "../../support/pushServices.ts"

const silent = (silence: "unreachable" | "timeout" | "private") => Effect.fail(new NoResponse({ silence }))

/** Lets everything run that is due now. */
const settle = TestClock.adjust(0)

describe("what push services answer", () => {
  /** Sends one item to a device whose push service always answers like this; attempts and what is then known. */
  const outcomeOf = (status: number, retryAfter?: string) =>
    Effect.gen(function* () {
      const { answers, devices, sender, sent, subscribe } = yield* pushServices()
      answers(() => Effect.succeed({ status, ...(retryAfter === undefined ? {} : { retryAfter }) }))
      yield* subscribe("phone")
      yield* sender.react(opened())
      yield* TestClock.adjust("2 hours")
      return { times: sent.map(({ at }) => at), device: (yield* devices.list)[0]?.device }
    })

  it.effect.each([
    [201, { sent: 1 }],
    [410, { gone: 1 }],
    [403, { failed: 1 }],
    [503, { again: 5 }]
  ] as const)("%i is counted by its result", ([status, expected]) =>
    Effect.gen(function* () {
      const registry: Metric.MetricRegistry = new Map()
      yield* Effect.provideService(outcomeOf(status), Metric.MetricRegistry, registry)
      const counts = Object.fromEntries(
        (yield* Effect.provideService(Metric.snapshot, Metric.MetricRegistry, registry)).flatMap((one) =>
          one.id === "agent_console_push_requests_total" && one.type === "Counter"
            ? [[one.attributes?.result, Number(one.state.count)]]
            : []
        )
      )
      assert.deepStrictEqual(counts, { sent: 0, again: 0, failed: 0, gone: 0, ...expected })
    })
  )

  it.effect.each([200, 201, 202, 204])("%i: sent", (status) =>
    Effect.gen(function* () {
      const { device, times } = yield* outcomeOf(status)
      assert.deepStrictEqual(times, [0])
      assert.strictEqual(device?.lastSentAt, 0)
      assert.isUndefined(device?.lastError)
    })
  )

  it.effect.each([404, 410])("%i: the device is removed", (status) =>
    Effect.gen(function* () {
      const { device, times } = yield* outcomeOf(status)
      assert.deepStrictEqual(times, [0])
      assert.isUndefined(device)
    })
  )

  it.effect.each([
    [307, /redirected/],
    [400, /rejected.*400.*off and on again/],
    [401, /key/],
    [403, /key/],
    [413, /too large/],
    [418, /rejected/]
  ] as const)("%i: not tried again, and the device says why", ([status, sentence]) =>
    Effect.gen(function* () {
      const { device, times } = yield* outcomeOf(status)
      assert.deepStrictEqual(times, [0])
      assert.isUndefined(device?.lastSentAt)
      assert.match(device?.lastError ?? "", sentence)
    })
  )

  it.effect.each([429, 500, 502, 503])("%i: tried again, less and less often, five times in all", (status) =>
    Effect.gen(function* () {
      const { device, times } = yield* outcomeOf(status)
      assert.deepStrictEqual(times, [0, 2_000, 10_000, 42_000, 170_000])
      assert.match(device?.lastError ?? "", new RegExp(String(status)))
    })
  )

  it.effect.each([
    ["60", [0, 60_000]],
    ["Thu, 01 Jan 1970 00:01:30 GMT", [0, 90_000]],
    ["99999999", [0, 600_000]],
    ["soon", [0, 2_000]],
    ["-5", [0, 2_000]]
  ] as const)("Retry-After is heeded, and bounded: %s", ([header, times]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* outcomeOf(429, header)).times.slice(0, 2), [...times])
    })
  )

  it.effect("nothing is tried beyond the end of the item", () =>
    Effect.gen(function* () {
      const { answers, sender, sent, subscribe } = yield* pushServices()
      answers(() => Effect.succeed({ status: 503 }))
      yield* subscribe("phone")
      yield* sender.react(opened({ expiresAt: 9_000 }))
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(
        sent.map(({ at }) => at),
        [0, 2_000]
      )
      assert.strictEqual(sent[0]?.headers.ttl, "9")
    })
  )

  it.effect("one that recovers delivers once, and its error is forgotten", () =>
    Effect.gen(function* () {
      const { answers, devices, sender, sent, subscribe } = yield* pushServices()
      const phone = yield* subscribe("phone")
      yield* devices.note(phone.id, { type: "failed", failure: { message: "It failed before." } })
      answers((_, index) => (index === 0 ? silent("unreachable") : Effect.succeed({ status: 201 })))
      yield* sender.react(opened())
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(sent.length, 2)
      assert.isUndefined((yield* devices.list)[0]?.device.lastError)
    })
  )

  it.effect("one that hangs delays neither the other devices nor the publisher of items", () =>
    Effect.gen(function* () {
      const { answers, sender, sent, subscribe } = yield* pushServices()
      answers(({ name }) => (name === "hangs" ? Effect.never : Effect.succeed({ status: 201 })))
      yield* subscribe("hangs")
      yield* subscribe("works")
      for (let index = 0; index < 20; index++) yield* sender.react(opened({ id: `item-${index}` }))
      yield* settle
      assert.strictEqual(sent.filter(({ name }) => name === "works").length, 20)
    })
  )

  it.effect("a private address is reported, not tried again", () =>
    Effect.gen(function* () {
      const { answers, devices, sender, sent, subscribe } = yield* pushServices()
      answers(() => silent("private"))
      yield* subscribe("phone")
      yield* sender.react(opened())
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(sent.length, 1)
      assert.match((yield* devices.list)[0]?.device.lastError ?? "", /private address/)
    })
  )
})
