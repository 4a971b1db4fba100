import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger, Result } from "effect"
import { TestClock } from "effect/testing"
import { INBOX_KINDS } from "../../../src/contract/inbox.ts"
import { temporaryFolder } from "../../support/fileServices.ts"
import { opened, pushServices } from "../../support/pushServices.ts"

describe("devices", () => {
  it.effect("are private and get every kind at first", () =>
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
      yield* devices.note(id, { type: "sent" })
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
      yield* devices.note(id, { type: "sent" })
      yield* devices.note(id, { type: "failed", failure: { message: "No." } })
      const { lastError, lastSentAt } = (yield* devices.find(id)).device
      assert.deepStrictEqual({ lastError, lastSentAt }, { lastError: "No.", lastSentAt: 1_000 })
      yield* devices.note(id, { type: "sent" })
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

describe("a new key", () => {
  /** Restarts on one home; `keyOf` changes the key file in between. */
  const makeHome = Effect.gen(function* () {
    const svcHome = yield* temporaryFolder
    const file = `${svcHome}/push-key.json`
    const said: Array<string> = []
    const Heard = Logger.layer([Logger.make(({ message }) => said.push(String(message)))])
    const run = <A, E>(body: (services: Effect.Success<ReturnType<typeof pushServices>>) => Effect.Effect<A, E>) =>
      Effect.scoped(
        // The real key file is read by the check, as at a start.
        Effect.flatMap(pushServices({ settings: { svcHome }, keepsStore: true, readsKey: false }), (services) =>
          Effect.andThen(services.devices.checkKey, body(services))
        )
      ).pipe(Effect.provide(Heard))
    return { file, run, said }
  })
  type Services = Effect.Success<ReturnType<typeof pushServices>>
  const errorsOf = ({ devices }: Services) =>
    Effect.map(devices.list, (list) => list.map(({ device }) => device.lastError ?? ""))
  const NEW_KEY = /^The console has a new key for notifications, so this device gets none: switch/

  it.effect.each([
    ["is gone", (file: string) => rmSync(file)],
    ["is damaged", (file: string) => writeFileSync(file, "{}")]
  ] as const)("is said in the log and at each device when the old one %s, and nothing is sent to them", ([, break_]) =>
    Effect.gen(function* () {
      const { file, run, said } = yield* makeHome
      yield* run(({ subscribe }) => Effect.all([subscribe("phone"), subscribe("desk")]))
      yield* run((services) => Effect.map(errorsOf(services), (errors) => assert.deepStrictEqual(errors, ["", ""])))
      assert.deepStrictEqual(said, [])
      break_(file)
      const browsers = yield* run((services) =>
        Effect.gen(function* () {
          for (const error of yield* errorsOf(services)) assert.match(error, NEW_KEY)
          yield* services.sender.react(opened())
          yield* TestClock.adjust("1 hour")
          assert.deepStrictEqual(services.sent, [])
          return yield* services.devices.list
        })
      )
      assert.include(said.join(), "2 devices get none until they're switched off and on again there")
      yield* run((services) =>
        Effect.gen(function* () {
          for (const error of yield* errorsOf(services)) assert.match(error, NEW_KEY)
          const [phone] = browsers
          if (phone === undefined) return assert.fail("no device")
          const { endpoint } = phone
          yield* services.devices.subscribe({ ...services.browser("phone again"), replaces: endpoint })
          assert.deepStrictEqual((yield* errorsOf(services)).filter((error) => error === "").length, 1)
          yield* services.sender.react(opened({ id: "next" }))
          yield* TestClock.adjust("1 hour")
          assert.strictEqual(services.sent.length, 1)
        })
      )
    })
  )

  it.effect("that is put back as it was makes the devices right again", () =>
    Effect.gen(function* () {
      const { file, run } = yield* makeHome
      yield* run(({ subscribe }) => subscribe("phone"))
      const key = readFileSync(file, "utf8")
      rmSync(file)
      yield* run((services) => Effect.map(errorsOf(services), ([error]) => assert.match(error ?? "", NEW_KEY)))
      writeFileSync(file, key)
      yield* run((services) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* errorsOf(services), [""])
          yield* services.sender.react(opened())
          yield* TestClock.adjust("1 hour")
          assert.strictEqual(services.sent.length, 1)
        })
      )
    })
  )

  it.effect("is noticed for devices of earlier versions, too, and there is none without devices", () =>
    Effect.gen(function* () {
      const { file, run } = yield* makeHome
      yield* run(() => Effect.void)
      assert.isFalse(existsSync(file))
      const forgetKeys = ({ sqlite }: Services) =>
        sqlite.transaction((db) => {
          db.run("DELETE FROM push_standing")
          return Result.void
        })
      yield* run((services) => Effect.andThen(services.subscribe("phone"), forgetKeys(services)))
      yield* run((services) =>
        Effect.andThen(
          Effect.map(errorsOf(services), (errors) => assert.deepStrictEqual(errors, [""])),
          forgetKeys(services)
        )
      )
      rmSync(file)
      yield* run((services) => Effect.map(errorsOf(services), ([error]) => assert.match(error ?? "", NEW_KEY)))
      yield* run((services) => Effect.map(errorsOf(services), ([error]) => assert.match(error ?? "", NEW_KEY)))
    })
  )
})
