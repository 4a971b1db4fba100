import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { TestClock } from "effect/testing"
import { NoResponse } from "../../../src/services/push/PushTransport.ts"
import { temporaryFolder } from "../../support/fileServices.ts"
import { ended, opened, pushServices, waitingItem } from "../../support/pushServices.ts"

const noAnswer = Effect.fail(new NoResponse({ silence: "timeout" }))
const MINUTE = 60_000

/** Lets everything run that is due now. */
const settle = TestClock.adjust(0)

describe("deliveries", () => {
  it.effect("go out at once for approvals and questions, and after 10 seconds for the rest", () =>
    Effect.gen(function* () {
      const { sender, sent, subscribe } = yield* pushServices()
      yield* subscribe("phone")
      const kinds = ["approval", "question", "proposal", "review", "failed", "pairing"] as const
      for (const kind of kinds) yield* sender.react(opened({ id: kind, kind }))
      yield* settle
      assert.deepStrictEqual(
        sent.map(({ payload }) => payload.id),
        ["approval", "question"]
      )
      yield* TestClock.adjust("9999 millis")
      assert.strictEqual(sent.length, 2)
      yield* TestClock.adjust("1 millis")
      assert.sameMembers(
        sent.map(({ payload }) => payload.id),
        [...kinds]
      )
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(sent.length, kinds.length)
    })
  )

  it.effect("say only what kind of thing waits, unless the device wants the text", () =>
    Effect.gen(function* () {
      const { sender, sent, subscribe } = yield* pushServices()
      yield* subscribe("discreet")
      yield* subscribe("open", { private: false, directAllow: true })
      yield* sender.react(opened({ id: "a/b" }))
      yield* settle
      const of = (name: string) => sent.find((message) => message.name === name)?.payload
      assert.deepStrictEqual(of("discreet"), {
        id: "a/b",
        kind: "approval",
        title: "Approval needed",
        body: "An agent is waiting for your permission.",
        url: "/inbox/a%2Fb",
        actions: [
          { id: "allow-once", label: "Allow", opens: true },
          { id: "deny", label: "Deny" }
        ]
      })
      assert.deepStrictEqual(of("open"), {
        ...of("discreet"),
        title: "rm -r old",
        body: "An agent wants to run this in /work",
        actions: [
          { id: "allow-once", label: "Allow" },
          { id: "deny", label: "Deny" }
        ]
      })
    })
  )

  it.effect("withdraw the notification when the item ends, under the same topic, from every recipient", () =>
    Effect.gen(function* () {
      const { sender, sent, subscribe } = yield* pushServices()
      yield* subscribe("phone")
      yield* subscribe("desk", { kinds: ["failed"] })
      yield* sender.react(opened())
      yield* settle
      yield* sender.react(ended())
      yield* settle
      assert.deepStrictEqual(
        sent.map(({ name }) => name),
        ["phone", "phone"]
      )
      assert.deepStrictEqual(sent[1]?.payload, { id: "item-1", kind: "approval", actions: [] })
      assert.strictEqual(sent[1]?.headers.topic, sent[0]?.headers.topic)
      yield* sender.react(ended())
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(sent.length, 2)
    })
  )

  it.effect("of what ended or was seen before its turn never go out, nor does its end", () =>
    Effect.gen(function* () {
      const { sender, sent, seen, subscribe } = yield* pushServices()
      yield* subscribe("phone")
      yield* sender.react(opened({ id: "ended", kind: "review" }))
      yield* sender.react(opened({ id: "seen", kind: "review" }))
      yield* TestClock.adjust("9 seconds")
      yield* sender.react(ended({ id: "ended", kind: "review" }))
      yield* seen.mark(["seen", "before"])
      yield* TestClock.adjust("20 seconds")
      yield* sender.react(opened({ id: "before" }))
      yield* TestClock.adjust("1 minute")
      yield* sender.react(ended({ id: "seen", kind: "review" }))
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(sent, [])
    })
  )

  it.effect("go out when what was seen is longer ago than 30 seconds", () =>
    Effect.gen(function* () {
      const { sender, sent, seen, subscribe } = yield* pushServices()
      yield* subscribe("phone")
      yield* seen.mark(["item-1"])
      yield* TestClock.adjust("31 seconds")
      yield* sender.react(opened())
      yield* settle
      assert.strictEqual(sent.length, 1)
    })
  )

  it.effect("wait for the end of quiet hours, except for what is over by then", () =>
    Effect.gen(function* () {
      const { sender, sent, subscribe } = yield* pushServices()
      yield* subscribe("phone", { quiet: { from: "00:00", to: "07:00", zone: "UTC" } })
      yield* sender.react(opened({ id: "short", expiresAt: 30 * MINUTE }))
      yield* sender.react(opened({ id: "long", expiresAt: 24 * 60 * MINUTE }))
      yield* sender.react(opened({ id: "endless", kind: "question" }))
      yield* sender.react(opened({ id: "decided" }))
      yield* TestClock.adjust("6 hours")
      assert.deepStrictEqual(
        sent.map(({ payload }) => payload.id),
        ["short"]
      )
      yield* sender.react(ended({ id: "decided" }))
      yield* TestClock.adjust("1 hour")
      assert.sameMembers(
        sent.map(({ payload }) => payload.id),
        ["short", "long", "endless"]
      )
      assert.strictEqual(sent.at(-1)?.at, 7 * 60 * MINUTE)
    })
  )

  it.effect("respect choices that are changed while they wait", () =>
    Effect.gen(function* () {
      const { devices, sender, sent, subscribe } = yield* pushServices()
      const quiet = { from: "00:00", to: "07:00", zone: "UTC" }
      const phone = yield* subscribe("phone", { quiet })
      const desk = yield* subscribe("desk", { quiet })
      yield* sender.react(opened())
      yield* TestClock.adjust("1 hour")
      yield* devices.change(phone.id, { quiet: null })
      yield* devices.remove(desk.id)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(
        sent.map(({ name }) => name),
        ["phone"]
      )
      yield* TestClock.adjust("10 hours")
      assert.strictEqual(sent.length, 1)
    })
  )

  it.effect("survive jumps of the clock, forward and back", () =>
    Effect.gen(function* () {
      const { sender, sent, subscribe } = yield* pushServices()
      yield* TestClock.setTime(24 * 60 * MINUTE)
      yield* subscribe("phone", { quiet: { from: "00:00", to: "07:00", zone: "UTC" } })
      yield* subscribe("desk")
      yield* sender.react(opened({ id: "held" }))
      yield* settle
      // A machine that slept: hours pass at once.
      yield* TestClock.setTime((24 + 9) * 60 * MINUTE)
      yield* settle
      assert.sameMembers(
        sent.map(({ name }) => name),
        ["phone", "desk"]
      )
      yield* sender.react(opened({ id: "late", kind: "review" }))
      yield* TestClock.setTime(32 * 60 * MINUTE)
      yield* TestClock.adjust("1 minute")
      yield* TestClock.adjust("10 seconds")
      yield* TestClock.adjust("2 hours")
      assert.strictEqual(sent.filter(({ payload }) => payload.id === "late").length, 2)
    })
  )

  it.effect("reach fifty devices once each, however often the item is published", () =>
    Effect.gen(function* () {
      const { sender, sent, subscribe } = yield* pushServices()
      for (let index = 0; index < 50; index++) yield* subscribe(`device-${index}`)
      for (let times = 0; times < 3; times++) yield* sender.react(opened())
      yield* settle
      yield* sender.react(opened())
      yield* sender.resume([waitingItem({ createdAt: 1 })])
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(sent.length, 50)
      assert.strictEqual(new Set(sent.map(({ name }) => name)).size, 50)
      yield* sender.react(ended())
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(sent.length, 100)
    })
  )
})

describe("an item that ends while it is being sent", () => {
  it.effect("is taken back after the answer, never before", () =>
    Effect.gen(function* () {
      const answer = yield* Deferred.make<void>()
      const { answers, sender, sent, subscribe } = yield* pushServices()
      answers((_, index) => Effect.as(index === 0 ? Deferred.await(answer) : Effect.void, { status: 201 }))
      yield* subscribe("phone")
      yield* sender.react(opened())
      yield* settle
      yield* sender.react(ended())
      yield* settle
      assert.strictEqual(sent.length, 1)
      yield* Deferred.succeed(answer, undefined)
      yield* settle
      assert.deepStrictEqual(sent[1]?.payload, { id: "item-1", kind: "approval", actions: [] })
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(sent.length, 2)
    })
  )

  it.effect("isn't tried again, and is taken back only if it may have arrived", () =>
    Effect.gen(function* () {
      const { answers, sender, sent, subscribe } = yield* pushServices()
      answers(({ name }, index) =>
        index > 1 ? Effect.succeed({ status: 201 }) : name === "busy" ? Effect.succeed({ status: 429 }) : noAnswer
      )
      yield* subscribe("busy")
      yield* subscribe("slow")
      yield* sender.react(opened())
      yield* settle
      yield* sender.react(ended())
      yield* TestClock.adjust("1 hour")
      assert.sameMembers(
        sent.slice(0, 2).map(({ name }) => name),
        ["busy", "slow"]
      )
      assert.deepStrictEqual(
        sent.slice(2).map(({ name, payload }) => [name, payload.title]),
        [["slow", undefined]]
      )
    })
  )
})

describe("a restart", () => {
  it.effect("sends nothing twice, sends what still waits, and takes back what ended meanwhile", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const run = (body: (services: Effect.Success<ReturnType<typeof pushServices>>) => Effect.Effect<void, unknown>) =>
        Effect.scoped(Effect.flatMap(pushServices({ settings: { svcHome: folder }, keepsStore: true }), body))
      yield* run((services) =>
        Effect.gen(function* () {
          yield* services.subscribe("phone", { quiet: { from: "10:00", to: "11:00", zone: "UTC" } })
          for (const id of ["goes on", "ends"]) yield* services.sender.react(opened({ id }))
          yield* settle
          assert.strictEqual(services.sent.length, 2)
          yield* services.sender.react(opened({ id: "too soon", kind: "failed" }))
          yield* TestClock.adjust("5 seconds")
        })
      )
      yield* run(({ sender, sent }) =>
        Effect.gen(function* () {
          yield* sender.resume([waitingItem({ id: "goes on" }), waitingItem({ id: "too soon", kind: "failed" })])
          yield* TestClock.adjust("10 seconds")
          yield* sender.resume([waitingItem({ id: "goes on" }), waitingItem({ id: "too soon", kind: "failed" })])
          yield* TestClock.adjust("1 hour")
          assert.strictEqual(sent.length, 2)
          yield* sender.react(ended({ id: "goes on" }))
          yield* settle
          assert.strictEqual(sent.length, 3)
        })
      )
    })
  )

  it.effect("sends a device nothing from before its subscription", () =>
    Effect.gen(function* () {
      const { sender, sent, subscribe } = yield* pushServices()
      yield* TestClock.adjust("1 minute")
      yield* subscribe("phone")
      yield* sender.resume([waitingItem({ createdAt: 1_000 })])
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(sent, [])
    })
  )
})
