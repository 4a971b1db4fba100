import { readFileSync, statSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { INBOX_KINDS } from "../../../src/contract/answers/InboxAnswers.ts"
import { pushServices } from "../../support/pushServices.ts"

describe("devices", () => {
  it.effect("are discreet and told everything at first", () =>
    Effect.gen(function* () {
      const { devices, subscribe } = yield* pushServices()
      const { id, ...device } = yield* subscribe("phone")
      assert.match(id, /^[\da-f-]{36}$/)
      assert.deepStrictEqual(device, {
        label: "Browser",
        kinds: INBOX_KINDS,
        private: true,
        directAllow: false,
        createdAt: 0
      })
      assert.deepStrictEqual(
        (yield* devices.list).map((known) => known.device),
        [{ id, ...device }]
      )
    })
  )

  it.effect("are updated by the same endpoint, and keep what isn't named", () =>
    Effect.gen(function* () {
      const { browser, devices } = yield* pushServices()
      const quiet = { from: "22:00", to: "07:00", zone: "Europe/Berlin" }
      const phone = browser("phone")
      const first = yield* devices.subscribe({ ...phone, label: " Phone ", quiet, kinds: ["failed"] })
      assert.isTrue(first.isNew)
      assert.strictEqual(first.device.label, "Phone")
      const { keys } = browser("phone")
      const again = yield* devices.subscribe({ ...phone, keys, private: false })
      assert.isFalse(again.isNew)
      assert.deepStrictEqual(again.device, { ...first.device, private: false })
      const [stored] = yield* devices.list
      assert.deepStrictEqual(stored?.keys, keys)
      const { quiet: _, ...rest } = again.device
      assert.deepStrictEqual(yield* devices.change(first.device.id, { quiet: null }), rest)
    })
  )

  it.effect("stay the same when their browser gets another endpoint", () =>
    Effect.gen(function* () {
      const { browser, devices, subscribe } = yield* pushServices()
      const device = yield* subscribe("old", { label: "Phone" })
      const next = browser("new")
      const moved = yield* devices.subscribe({ ...next, replaces: browser("old").endpoint })
      assert.deepStrictEqual(moved, { device, isNew: false })
      assert.deepStrictEqual(
        (yield* devices.list).map(({ endpoint }) => endpoint),
        [next.endpoint]
      )
    })
  )

  it.effect("are at most a hundred", () =>
    Effect.gen(function* () {
      const { browser, devices, subscribe } = yield* pushServices()
      for (let index = 0; index < 100; index++) yield* subscribe(`device-${index}`)
      const error = yield* Effect.flip(subscribe("one more"))
      assert.strictEqual(error._tag, "TooManyPushDevices")
      assert.isFalse((yield* devices.subscribe(browser("device-7"))).isNew)
    })
  )

  it.effect("aren't taken with a foreign endpoint or wrong keys", () =>
    Effect.gen(function* () {
      const { browser, devices } = yield* pushServices()
      const good = browser("phone")
      const bad = [
        { ...good, endpoint: "https://127.0.0.1/push" },
        { ...good, keys: { ...good.keys, auth: "AAAA" } }
      ]
      for (const input of bad) {
        const error = yield* Effect.flip(devices.subscribe(input))
        assert.strictEqual(error._tag, "InvalidPushSubscription")
      }
      assert.deepStrictEqual(yield* devices.list, [])
    })
  )

  it.effect("that were removed aren't brought back by what comes late", () =>
    Effect.gen(function* () {
      const { devices, subscribe } = yield* pushServices()
      const { id } = yield* subscribe("phone")
      yield* devices.remove(id)
      yield* devices.note(id, {})
      assert.deepStrictEqual(yield* devices.list, [])
      for (const late of [devices.remove(id), devices.change(id, {}), devices.find(id)])
        assert.strictEqual((yield* Effect.flip<unknown, { _tag: string }, never>(late))._tag, "PushDeviceNotFound")
    })
  )

  it.effect("say when the last notification went out, and what went wrong with the last", () =>
    Effect.gen(function* () {
      const { devices, subscribe } = yield* pushServices()
      const { id } = yield* subscribe("phone")
      yield* TestClock.adjust("1 second")
      yield* devices.note(id, {})
      yield* devices.note(id, { error: "No." })
      const { lastError, lastSentAt } = (yield* devices.find(id)).device
      assert.deepStrictEqual({ lastError, lastSentAt }, { lastError: "No.", lastSentAt: 1_000 })
      yield* devices.note(id, {})
      assert.isUndefined((yield* devices.find(id)).device.lastError)
    })
  )
})

describe("the key file", () => {
  it.effect("is only its owner's, outlasts a restart, and is replaced when it's damaged", () =>
    Effect.gen(function* () {
      const first = yield* pushServices()
      const { svcHome } = first.settings
      const file = `${svcHome}/push-key.json`
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      const { publicKey } = yield* first.vapid.key
      const second = yield* pushServices({ settings: { svcHome } })
      assert.strictEqual((yield* second.vapid.key).publicKey, publicKey)
      writeFileSync(file, readFileSync(file, "utf8").slice(0, 40))
      const third = yield* pushServices({ settings: { svcHome } })
      assert.notStrictEqual((yield* third.vapid.key).publicKey, publicKey)
      const fourth = yield* pushServices({ settings: { svcHome } })
      assert.strictEqual((yield* fourth.vapid.key).publicKey, (yield* third.vapid.key).publicKey)
    })
  )
})
