import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Logger, PubSub, Result } from "effect"
import { TestClock } from "effect/testing"
import type { PublishedEvent } from "../../../src/contract/ConsoleEvent.ts"
import type { InboxChange, InboxItem } from "../../../src/contract/schema/inbox.ts"
import { GatewayError } from "../../../src/services/gateway/client/GatewayError.ts"
import { failures, makeAnsweringGateway } from "../../support/answeringGateway.ts"
import { makeJsonApp } from "../../support/gatewayApp.ts"
import { workedMs } from "../../support/ownTime.ts"

const DAY_MS = 24 * 60 * 60 * 1000

const settled = new GatewayError({ reason: "not_found", message: "Too late.", code: "REQUEST_SETTLED" })
const CONNECTION = { protocol: 4, version: "2026.9.6", scopes: [], methods: new Set(["exec.approval.list"]) }

const approval = (id: string, expiresAtMs = 60_000) => ({
  id,
  request: { command: `rm ${id}`, sessionKey: "agent:main:a", cwd: "/work", host: "gateway" },
  createdAtMs: 1,
  expiresAtMs
})

const nextChange = (events: PubSub.Subscription<PublishedEvent>): Effect.Effect<InboxChange> =>
  Effect.flatMap(PubSub.take(events), (event) =>
    event.event === "inbox.changed" ? Effect.succeed(event.data) : nextChange(events)
  )

/** The app before a gateway that answers decisions as the test says, and lists what the test lets wait. */
const makeWorld = Effect.fnUntraced(function* (
  decide: (params: object) => Effect.Effect<unknown, GatewayError> = () => Effect.succeed({ ok: true }),
  waiting: () => ReadonlyArray<object> = () => [],
  gatewayStartedAt = 0
) {
  const answers: Readonly<Record<string, (params: object) => Effect.Effect<unknown, GatewayError>>> = {
    "exec.approval.list": () => Effect.succeed(waiting()),
    "question.list": () => Effect.succeed({ questions: [] }),
    "device.pair.list": () => Effect.succeed({ pending: [] }),
    "exec.approval.resolve": decide,
    "question.resolve": decide
  }
  const gateway = yield* makeAnsweringGateway(
    ({ method, params }) => answers[method]?.(params) ?? Effect.fail(failures.missingScope),
    CONNECTION,
    gatewayStartedAt
  )
  const app = yield* makeJsonApp({ gateway: gateway.layer })
  const events = yield* app.events.subscribe
  // Open items are read at the start, before any event.
  while (gateway.count("exec.approval.list") === 0) yield* Effect.yieldNow
  for (let turn = 0; turn < 50; turn += 1) yield* Effect.yieldNow
  const opened = (id: string): Effect.Effect<InboxChange> =>
    Effect.flatMap(nextChange(events), (change) =>
      change.action === "opened" && change.item.title === `rm ${id}` ? Effect.succeed(change) : opened(id)
    )
  const ask = (id: string, expiresAtMs?: number) =>
    Effect.andThen(gateway.emit("exec.approval.requested", approval(id, expiresAtMs)), opened(id))
  return {
    ...app,
    gateway,
    ask,
    change: nextChange(events),
    resolve: (id: string, body: object) => app.send("POST", `/api/inbox/${id}/resolve`, body)
  }
})

describe("a decision that the gateway doesn't take", () => {
  it.effect("leaves the item open, has the gateway asked again what waits, and can be repeated", () =>
    Effect.gen(function* () {
      let isAway = true
      const decide = () => (isAway ? Effect.fail(failures.unreachable) : Effect.succeed({ ok: true }))
      const { ask, gateway, resolve, send } = yield* makeWorld(decide, () => [approval("a")])
      const before = gateway.count("exec.approval.list")
      const { body } = yield* send("GET", "/api/inbox")
      const [item] = body.items
      const failed = yield* resolve(item.id, { action: "deny" })
      assert.deepStrictEqual([failed.status, failed.body.error], [502, "gateway_failure"])
      while (gateway.count("exec.approval.list") === before) yield* Effect.yieldNow
      assert.deepStrictEqual((yield* send("GET", "/api/inbox?state=open")).body.items, [item])
      isAway = false
      assert.strictEqual((yield* resolve(item.id, { action: "deny" })).status, 200)
      assert.strictEqual((yield* ask("b")).item.title, "rm b")
    })
  )

  it.effect("finds the item gone, and says whether the gateway has restarted since it asked", () =>
    Effect.gen(function* () {
      const endOf = Effect.fnUntraced(function* (gatewayStartedAt: number) {
        const { ask, change, resolve } = yield* makeWorld(
          () => Effect.fail(failures.unreachable),
          () => [],
          gatewayStartedAt
        )
        const { item } = yield* ask("a")
        assert.strictEqual((yield* resolve(item.id, { action: "deny" })).status, 502)
        return (yield* change).item.resolution
      })
      assert.deepStrictEqual(yield* endOf(10_000), { action: "gateway-restarted", at: 0, by: "elsewhere" })
      assert.deepStrictEqual(yield* endOf(0), { action: "unknown", at: 0, by: "elsewhere" })
    })
  )

  it.effect("ends with the outcome that the gateway published meanwhile, or unknown if it didn't", () =>
    Effect.gen(function* () {
      let failure = settled
      let go = yield* Deferred.make<void>()
      const asked = yield* PubSub.unbounded<void>()
      const calls = yield* PubSub.subscribe(asked)
      const decide = () =>
        Effect.gen(function* () {
          yield* PubSub.publish(asked, undefined)
          yield* Deferred.await(go)
          return yield* failure
        })
      const { ask, gateway, resolve } = yield* makeWorld(decide)
      const decideWhile = Effect.fnUntraced(function* (id: string, decision: string) {
        go = yield* Deferred.make<void>()
        const { item } = yield* ask(id)
        const mine = yield* Effect.forkChild(resolve(item.id, { action: "allow-once" }))
        yield* PubSub.take(calls)
        yield* gateway.emit("exec.approval.resolved", { id, decision })
        for (let turn = 0; turn < 20; turn += 1) yield* Effect.yieldNow
        yield* Deferred.succeed(go, undefined)
        const { body, status } = yield* Fiber.join(mine)
        return [status, (body.item ?? body).resolution]
      })
      assert.deepStrictEqual(yield* decideWhile("a", "deny"), [409, { action: "deny", at: 0, by: "elsewhere" }])
      failure = failures.unreachable
      assert.deepStrictEqual(yield* decideWhile("b", "deny"), [409, { action: "deny", at: 0, by: "elsewhere" }])
      // The response was lost on the way, but this very decision counts.
      const [status, resolution] = yield* decideWhile("c", "allow-once")
      assert.deepStrictEqual([status, resolution.action], [200, "allow-once"])
      failure = settled
      const { item } = yield* ask("d")
      const silent = yield* Effect.forkChild(resolve(item.id, { action: "deny" }))
      yield* PubSub.take(calls)
      yield* TestClock.adjust("1 second")
      const late = yield* Fiber.join(silent)
      assert.deepStrictEqual([late.status, late.body.item.resolution.action], [409, "unknown"])
    })
  )
})

describe("time", () => {
  it.effect("ends what nobody decides, oldest deadline first in the list, and forgets it after 30 days", () =>
    Effect.gen(function* () {
      const { ask, change, resolve, send, sqlite } = yield* makeWorld()
      const late = (yield* ask("late", 120_000)).item
      const soon = (yield* ask("soon", 60_000)).item
      assert.deepStrictEqual((yield* send("GET", "/api/inbox")).body.items, [soon, late])
      yield* TestClock.adjust("63 seconds")
      const over = yield* change
      assert.deepInclude(over, { action: "expired" })
      assert.deepInclude(over.item, { id: soon.id, state: "expired" })
      assert.deepStrictEqual(over.item.resolution, { action: "unknown", at: 60_000, by: "timeout" })
      assert.strictEqual((yield* resolve(soon.id, { action: "deny" })).status, 409)
      yield* TestClock.adjust("2 minutes")
      assert.deepInclude(yield* change, { action: "expired" })
      assert.strictEqual((yield* send("GET", "/api/inbox?state=resolved")).body.total, 2)
      yield* sqlite.transaction((db) => {
        db.run("UPDATE inbox_items SET ended_at = ended_at - ? WHERE id = ?", 31 * DAY_MS, soon.id)
        db.run("UPDATE inbox_items SET ended_at = ended_at - ? WHERE id = ?", 29 * DAY_MS, late.id)
        return Result.void
      })
      yield* TestClock.adjust("1 hour")
      const left = (yield* send("GET", "/api/inbox")).body.items
      assert.deepStrictEqual(
        left.map(({ id }: InboxItem) => id),
        [late.id]
      )
    })
  )
})

describe("a secret", () => {
  it.effect("is passed on, and neither stored nor logged nor published", () => {
    const logged: Array<string> = []
    const Log = Logger.layer([Logger.make(({ message }) => logged.push(JSON.stringify(message)))])
    return Effect.gen(function* () {
      const passed: Array<unknown> = []
      const quoting = new GatewayError({ reason: "invalid", message: 'The gateway rejected "hunter2 ".' })
      const { change, gateway, resolve, sqlite } = yield* makeWorld((params) =>
        Effect.sync(() => passed.push(params)).pipe(Effect.andThen(Effect.fail(quoting)))
      )
      yield* gateway.emit("question.requested", {
        id: "ask_1",
        questions: [{ questionId: "key", question: "The key?", options: [], isSecret: true }],
        sessionKey: "agent:main:a",
        createdAtMs: 1,
        expiresAtMs: 900_000,
        status: "pending"
      })
      const { item } = yield* change
      assert.isTrue(item.questions?.[0]?.secret)
      const answers = { key: { text: "hunter2 " } }
      const refused = yield* resolve(item.id, { action: "answer", answers })
      assert.strictEqual(refused.status, 502)
      assert.deepStrictEqual(passed, [{ id: "ask_1", answers: { answers: { key: ["hunter2 "] } } }])
      yield* gateway.emit("question.resolved", { id: "ask_1", status: "answered", answers: { key: ["hunter2"] } })
      const ended = yield* change
      assert.deepInclude(ended.item.resolution, { action: "answer", by: "elsewhere" })
      const kept = yield* sqlite.read((db) => JSON.stringify(db.all("SELECT * FROM inbox_items")))
      for (const text of [kept, JSON.stringify(ended), JSON.stringify(refused), ...logged])
        assert.notInclude(text, "hunter2")
    }).pipe(Effect.provide(Log))
  })
})

describe("a thousand items", () => {
  it.effect("are listed page by page, at once", () =>
    Effect.gen(function* () {
      const waiting = Array.from({ length: 1000 }, (_, index) => approval(`a${index}`, 60_000 + index))
      const { send } = yield* makeWorld(undefined, () => waiting)
      const page = (offset: number) => send("GET", `/api/inbox?state=open&kind=approval&limit=200&offset=${offset}`)
      while ((yield* page(0)).body.total < 1000) yield* Effect.yieldNow
      const before = workedMs()
      const titles: Array<string> = []
      for (let offset = 0; offset < 1000; offset += 200)
        for (const { title } of (yield* page(offset)).body.items) titles.push(title)
      assert.isBelow(workedMs() - before, 1000)
      assert.deepStrictEqual(
        titles,
        waiting.map(({ request }) => request.command)
      )
    })
  )
})
