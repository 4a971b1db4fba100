import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { makeApp } from "../../../support/makeApp.ts"
import { pushDouble } from "../../../support/pushDouble.ts"
import { waitingItem } from "../../../support/pushServices.ts"

const makePush = Effect.gen(function* () {
  const double = yield* pushDouble(() => 0)
  const app = yield* makeApp({ settings: { pushAllowedOrigins: [double.origin] } })
  const call = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) }
    const response = yield* app.request(path, init)
    const answer = yield* app.json(response)
    return { status: response.status, body: Object.fromEntries(Object.entries(Object(answer))) }
  })
  return { ...app, double, call }
})

describe("devices over HTTP", () => {
  it.effect("are added with 201, updated with 200, changed, tested and removed", () =>
    Effect.gen(function* () {
      const { call, double } = yield* makePush
      const input = { ...double.subscribe("phone"), label: "Phone" }
      const added = yield* call("POST", "/api/push/subscriptions", input)
      assert.strictEqual(added.status, 201)
      const id = String(added.body.id)
      assert.notInclude(JSON.stringify(added.body), input.keys.auth)
      assert.strictEqual((yield* call("POST", "/api/push/subscriptions", input)).status, 200)
      const quiet = { from: "22:00", to: "07:00", zone: "Europe/Berlin" }
      const changed = yield* call("PATCH", `/api/push/subscriptions/${id}`, { quiet, kinds: ["approval"] })
      assert.deepStrictEqual(changed, { status: 200, body: { ...added.body, quiet, kinds: ["approval"] } })

      const overview = yield* call("GET", "/api/push")
      assert.deepStrictEqual(overview.body.subscriptions, [changed.body])
      assert.deepStrictEqual(yield* call("POST", `/api/push/subscriptions/${id}/test`), {
        status: 200,
        body: { ok: true }
      })
      const [test] = double.received
      assert.deepInclude(test?.payload, { kind: "test", body: "Agent Console can reach Phone.", actions: [] })
      assert.strictEqual(test?.vapidKey, overview.body.publicKey)
      assert.deepStrictEqual(double.faults, [])

      double.answers((response) => response.writeHead(403).end())
      const refused = yield* call("POST", `/api/push/subscriptions/${id}/test`)
      assert.strictEqual(refused.status, 502)
      assert.strictEqual(refused.body.error, "push_failed")
      assert.match(String(refused.body.details), /403/)
      assert.strictEqual((yield* call("DELETE", `/api/push/subscriptions/${id}`)).status, 200)
      for (const [method, path] of [
        ["DELETE", ""],
        ["PATCH", ""],
        ["POST", "/test"]
      ] as const) {
        const gone = yield* call(method, `/api/push/subscriptions/${id}${path}`, method === "PATCH" ? {} : undefined)
        assert.strictEqual(gone.status, 404, method)
      }
    })
  )

  it.effect("that their push service no longer knows are removed by a test", () =>
    Effect.gen(function* () {
      const { call, double } = yield* makePush
      const { body } = yield* call("POST", "/api/push/subscriptions", double.subscribe("phone"))
      double.answers((response) => response.writeHead(410).end())
      const gone = yield* call("POST", `/api/push/subscriptions/${body.id}/test`)
      assert.strictEqual(gone.status, 502)
      assert.match(String(gone.body.details), /removed/)
      assert.deepStrictEqual((yield* call("GET", "/api/push")).body.subscriptions, [])
    })
  )

  it.effect("aren't taken when anything about them is wrong, and 400 says what", () =>
    Effect.gen(function* () {
      const { call, double } = yield* makePush
      const good = double.subscribe("phone")
      const quiet = { from: "22:00", to: "07:00", zone: "UTC" }
      const wrong: ReadonlyArray<readonly [unknown, RegExp]> = [
        [{}, /endpoint/],
        [[], /object/],
        [{ ...good, endpoint: "http://169.254.169.254/latest" }, /endpoint: the push service/],
        [{ ...good, endpoint: "https://localhost/push" }, /endpoint: the push service/],
        [{ ...good, endpoint: 7 }, /endpoint/],
        [{ endpoint: good.endpoint }, /keys/],
        [{ ...good, keys: { p256dh: "AAAA", auth: "AAAA" } }, /keys/],
        [{ ...good, kinds: ["everything"] }, /must be one of: approval/],
        [{ ...good, label: " " }, /label/],
        [{ ...good, label: "x".repeat(61) }, /label/],
        [{ ...good, quiet: { ...quiet, zone: "Mars/Olympus" } }, /zone: must be the name of a time zone/],
        [{ ...good, quiet: { ...quiet, from: "25:00" } }, /from: must be a time/],
        [{ ...good, quiet: { ...quiet, to: "22:00" } }, /begin and end at the same time/],
        [{ ...good, private: "no" }, /private: must be true or false/]
      ]
      for (const [body, details] of wrong) {
        const answer = yield* call("POST", "/api/push/subscriptions", body)
        assert.strictEqual(answer.status, 400, JSON.stringify(body))
        assert.strictEqual(answer.body.error, "validation_error")
        assert.match(String(answer.body.details), details)
      }
      for (const ids of [undefined, "a", [7], Array.from({ length: 501 }, () => "a")])
        assert.strictEqual((yield* call("POST", "/api/inbox/seen", { ids })).status, 400)
    })
  )

  it.effect("need a session when there is sign-in", () =>
    Effect.gen(function* () {
      const { request } = yield* makeApp({ settings: { authEnabled: true } })
      for (const [method, path] of [
        ["GET", "/api/push"],
        ["POST", "/api/push/subscriptions"],
        ["POST", "/api/inbox/seen"]
      ] as const)
        assert.strictEqual((yield* request(path, { method })).status, 401)
    })
  )
})

describe("changes of the inbox", () => {
  it.effect("reach the devices, encrypted and signed, unless a page has shown them", () =>
    Effect.gen(function* () {
      const { call, double, events } = yield* makePush
      yield* call("POST", "/api/push/subscriptions", double.subscribe("phone"))
      yield* call("POST", "/api/inbox/seen", { ids: ["seen"] })
      const item = waitingItem()
      yield* events.publish({ event: "inbox.changed", data: { action: "opened", item: { ...item, id: "seen" } } })
      yield* events.publish({ event: "inbox.changed", data: { action: "opened", item } })
      yield* Effect.promise(() => double.count(1))
      const over = { ...item, state: "expired", actions: [] } as const
      yield* events.publish({ event: "inbox.changed", data: { action: "expired", item: over } })
      yield* Effect.promise(() => double.count(2))
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(
        double.received.map(({ payload }) => [payload.id, payload.title]),
        [
          ["item-1", "Approval needed"],
          ["item-1", undefined]
        ]
      )
      assert.strictEqual(double.received[0]?.headers.topic, double.received[1]?.headers.topic)
      assert.deepStrictEqual(double.faults, [])
    })
  )
})
