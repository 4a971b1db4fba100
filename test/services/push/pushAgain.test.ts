import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { NoResponse, type PushResponse } from "../../../src/services/push/PushTransport.ts"
import { temporaryFolder } from "../../support/fileServices.ts"
import { ended, opened, pushServices, waitingItem } from "../../support/pushServices.ts"

type Services = Effect.Success<ReturnType<typeof pushServices>>

/** Lets everything run that is due now. */
const settle = TestClock.adjust(0)

/** Runs a console's part of notifications; each run is a restart that keeps the database. */
const makeRuns = Effect.map(
  temporaryFolder,
  (svcHome) => (body: (services: Services) => Effect.Effect<void, unknown>) =>
    Effect.scoped(Effect.flatMap(pushServices({ settings: { svcHome }, keepsStore: true }), body))
)

const times = ({ sent }: Services) => sent.map(({ at }) => at)
const failing = (status: number, retryAfter?: string): Effect.Effect<PushResponse, NoResponse> =>
  Effect.succeed({ status, retryAfter })

describe("a delivery that a restart interrupts", () => {
  it.effect.each([
    ["503 waits 2 seconds", failing(503), [2_000]],
    ["429 waits as long as it was told", failing(429, "60"), [60_000]],
    ["no response is like 503", Effect.fail(new NoResponse({ silence: "timeout" })), [2_000]],
    ["the end in the middle of a try is like 503", Effect.never, [2_000]]
  ] as const)("goes on in its pause: %s", ([, first, due]) =>
    Effect.gen(function* () {
      const run = yield* makeRuns
      yield* run((services) =>
        Effect.gen(function* () {
          services.answers(() => first)
          yield* services.subscribe("phone")
          yield* services.sender.react(opened())
          yield* settle
          assert.deepStrictEqual(times(services), [0])
        })
      )
      yield* TestClock.adjust("1 second")
      yield* run((services) =>
        Effect.gen(function* () {
          yield* services.sender.resume([waitingItem()])
          yield* TestClock.adjust("1 hour")
          assert.deepStrictEqual(times(services), [...due])
        })
      )
      yield* run((services) =>
        Effect.gen(function* () {
          yield* services.sender.resume([waitingItem()])
          yield* TestClock.adjust("1 hour")
          assert.deepStrictEqual(times(services), [])
        })
      )
    })
  )

  it.effect("goes on for what the settings name, too, which is only known since each start", () =>
    Effect.gen(function* () {
      const svcHome = yield* temporaryFolder
      const notifySink = { type: "webhook", url: "https://hooks.example/a" } as const
      const run = (body: (services: Services) => Effect.Effect<void, unknown>) =>
        Effect.scoped(Effect.flatMap(pushServices({ settings: { svcHome, notifySink }, keepsStore: true }), body))
      yield* run((services) =>
        Effect.gen(function* () {
          services.answers(() => failing(503))
          yield* services.sender.react(opened())
          yield* settle
          assert.deepStrictEqual(times(services), [0])
        })
      )
      yield* run((services) => Effect.andThen(services.sender.react(opened({ id: "waits", kind: "review" })), settle))
      yield* TestClock.adjust("1 second")
      yield* run((services) =>
        Effect.gen(function* () {
          const open = [waitingItem(), waitingItem({ id: "waits", kind: "review" }), waitingItem({ id: "before" })]
          yield* services.sender.resume(open)
          yield* TestClock.adjust("1 hour")
          assert.deepStrictEqual(
            services.sent.map(({ at, payload }) => [at, payload.id]),
            [
              [2_000, "item-1"],
              [11_000, "waits"]
            ]
          )
        })
      )
      yield* run((services) =>
        Effect.gen(function* () {
          yield* services.sender.resume([waitingItem(), waitingItem({ id: "waits", kind: "review" })])
          yield* TestClock.adjust("1 hour")
          assert.deepStrictEqual(services.sent, [])
        })
      )
    })
  )

  it.effect("goes on at once when its pause is over, also after longer than it's tried", () =>
    Effect.gen(function* () {
      const run = yield* makeRuns
      yield* run((services) =>
        Effect.gen(function* () {
          services.answers(() => failing(503))
          yield* services.subscribe("phone")
          yield* services.sender.react(opened())
          yield* settle
        })
      )
      yield* TestClock.adjust("5 hours")
      yield* run((services) =>
        Effect.gen(function* () {
          yield* services.sender.resume([waitingItem()])
          yield* settle
          assert.strictEqual(services.sent.length, 1)
        })
      )
    })
  )

  it.effect("is tried five times in all, however often it's interrupted", () =>
    Effect.gen(function* () {
      const run = yield* makeRuns
      let tried = 0
      yield* run((services) => Effect.asVoid(services.subscribe("phone")))
      for (let restart = 0; restart < 8; restart++) {
        yield* run((services) =>
          Effect.gen(function* () {
            services.answers(() => failing(503))
            yield* services.sender.resume([waitingItem()])
            yield* settle
            tried += services.sent.length
          })
        )
        yield* TestClock.adjust("20 minutes")
      }
      assert.strictEqual(tried, 5)
    })
  )

  it.effect("survives a clock that is set back", () =>
    Effect.gen(function* () {
      const run = yield* makeRuns
      yield* TestClock.setTime(100_000_000)
      yield* run((services) =>
        Effect.gen(function* () {
          services.answers(() => failing(429, "300"))
          yield* services.subscribe("phone")
          yield* services.sender.react(opened())
          yield* settle
        })
      )
      yield* TestClock.setTime(1_000_000)
      yield* run((services) =>
        Effect.gen(function* () {
          yield* services.sender.resume([waitingItem({ createdAt: 100_000_000 })])
          yield* settle
          assert.strictEqual(services.sent.length, 1)
        })
      )
    })
  )

  it.effect("is taken back after it when the item ended meanwhile, unless it can't have arrived", () =>
    Effect.gen(function* () {
      const run = yield* makeRuns
      yield* run((services) =>
        Effect.gen(function* () {
          services.answers(({ name }) => failing(name === "busy" ? 429 : 503))
          yield* services.subscribe("busy")
          yield* services.subscribe("broken")
          yield* services.sender.react(opened())
          yield* settle
          assert.strictEqual(services.sent.length, 2)
        })
      )
      yield* run((services) =>
        Effect.gen(function* () {
          yield* services.sender.resume([])
          yield* TestClock.adjust("1 hour")
          assert.deepStrictEqual(
            services.sent.map(({ name }) => name),
            ["broken"]
          )
        })
      )
    })
  )
})

describe("a delivery that is tried again", () => {
  /** A device with full text whose first message fails; what happens in the pause, and what the later tries say. */
  const after = (change: (services: Services, id: string) => Effect.Effect<unknown, unknown>) =>
    Effect.gen(function* () {
      const services = yield* pushServices()
      services.answers((_, index) => failing(index === 0 ? 503 : 201))
      const { id } = yield* services.subscribe("phone", { private: false })
      yield* services.sender.react(opened())
      yield* settle
      yield* change(services, id)
      yield* TestClock.adjust("10 hours")
      return services.sent.slice(1)
    })

  it.effect("goes to no device that was removed or no longer wants this kind", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* after(({ devices }, id) => devices.remove(id)), [])
      assert.deepStrictEqual(yield* after(({ devices }, id) => devices.change(id, { kinds: ["failed"] })), [])
    })
  )

  it.effect("says only what the device may get now", () =>
    Effect.gen(function* () {
      const [again, ...more] = yield* after(({ devices }, id) => devices.change(id, { private: true }))
      assert.strictEqual(again?.payload.title, "Approval needed")
      assert.deepStrictEqual(more, [])
    })
  )

  it.effect("waits for the end of quiet hours that have begun, and then as long as at first", () =>
    Effect.gen(function* () {
      const quiet = { from: "00:00", to: "07:00", zone: "UTC" }
      const sent = yield* after(({ answers, devices }, id) => {
        answers((_, index) => failing(index < 3 ? 503 : 201))
        return devices.change(id, { quiet })
      })
      const seven = 7 * 60 * 60_000
      assert.deepStrictEqual(
        sent.map(({ at }) => at),
        [seven, seven + 8_000, seven + 40_000]
      )
    })
  )

  it.effect("isn't news to who has seen it meanwhile", () =>
    Effect.gen(function* () {
      const sent = yield* after(({ seen }) => Effect.andThen(TestClock.adjust("1 second"), seen.mark(["item-1"])))
      assert.deepStrictEqual(sent, [])
    })
  )

  it.effect("shows at the device why the last try failed, until one succeeds", () =>
    Effect.gen(function* () {
      const { answers, devices, sender, subscribe } = yield* pushServices()
      answers((_, index) => failing(index < 2 ? 503 : 201))
      const { id } = yield* subscribe("phone")
      const lastError = Effect.map(devices.find(id), ({ device }) => device.lastError)
      yield* sender.react(opened())
      yield* settle
      assert.match((yield* lastError) ?? "", /failed \(503\)/)
      yield* TestClock.adjust("2 seconds")
      assert.match((yield* lastError) ?? "", /failed \(503\)/)
      yield* TestClock.adjust("8 seconds")
      assert.isUndefined(yield* lastError)
    })
  )
})

describe("a device that refuses every message", () => {
  it.effect.each([400, 401, 403, 418])("gets no more after three in a row, until it subscribes again: %i", (status) =>
    Effect.gen(function* () {
      const { answers, browser, devices, sender, sent, subscribe } = yield* pushServices()
      answers(({ name }) => failing(name === "works" ? 201 : status))
      const { id } = yield* subscribe("works")
      const again = browser("refuses")
      yield* devices.subscribe(again)
      const countOf = (name: string) => sent.filter((one) => one.name === name).length
      for (let index = 0; index < 12; index++) {
        yield* sender.react(opened({ id: `item-${index}` }))
        yield* settle
      }
      assert.deepStrictEqual([countOf("works"), countOf("refuses")], [12, 3])
      const broken = (yield* devices.list).find(({ device }) => device.id !== id)?.device
      assert.match(broken?.lastError ?? "", /gets no more: switch notifications off and on again on that device\.$/)
      // Items that arrived meanwhile aren't all sent at once.
      answers(() => failing(201))
      yield* devices.subscribe(again)
      yield* sender.resume(Array.from({ length: 12 }, (_, index) => waitingItem({ id: `item-${index}` })))
      yield* settle
      assert.strictEqual(countOf("refuses"), 3)
      yield* sender.react(opened({ id: "next" }))
      yield* settle
      assert.strictEqual(countOf("refuses"), 4)
      assert.isUndefined((yield* devices.list).find(({ device }) => device.id !== id)?.device.lastError)
    })
  )

  it.effect("is asked again by a test, and gets everything when that succeeds", () =>
    Effect.gen(function* () {
      const { answers, sender, sent, subscribe } = yield* pushServices()
      answers(() => failing(403))
      const { id } = yield* subscribe("phone")
      for (let index = 0; index < 5; index++) yield* sender.react(opened({ id: `item-${index}` }))
      yield* settle
      const before = sent.length
      answers(() => failing(201))
      yield* sender.test(id)
      yield* sender.react(opened({ id: "next" }))
      yield* settle
      assert.strictEqual(sent.length, before + 2)
    })
  )

  it.effect("isn't one whose refusals aren't in a row, or that some messages are too long for", () =>
    Effect.gen(function* () {
      const { answers, sender, sent, subscribe } = yield* pushServices()
      answers((_, index) => failing(index % 3 === 2 ? 201 : index < 20 ? 403 : 413))
      yield* subscribe("phone")
      for (let index = 0; index < 40; index++) {
        yield* sender.react(opened({ id: `item-${index}` }))
        yield* settle
      }
      assert.strictEqual(sent.length, 40)
    })
  )

  it.effect("isn't notified of the end of an earlier item", () =>
    Effect.gen(function* () {
      const { answers, sender, sent, subscribe } = yield* pushServices()
      yield* subscribe("phone")
      yield* sender.react(opened({ id: "told" }))
      yield* settle
      answers(() => failing(403))
      for (let index = 0; index < 3; index++) {
        yield* sender.react(opened({ id: `item-${index}` }))
        yield* settle
      }
      yield* sender.react(ended({ id: "told" }))
      yield* settle
      assert.strictEqual(sent.length, 4)
    })
  )
})
