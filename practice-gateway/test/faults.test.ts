import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { newDevice, openLink } from "../../test/support/gatewayLink.ts"
import { practiceGateway } from "../older/practiceGateway.ts"
import { EmbeddedGateway } from "../src/EmbeddedGateway.ts"
import { operator, scriptedAgent } from "./operator.ts"

const Fast = practiceGateway({ tokenMs: 0, seed: false, agent: scriptedAgent })

const connectWith = Effect.fnUntraced(function* () {
  const gateway = yield* EmbeddedGateway
  const link = yield* openLink(gateway.wsUrl)
  const answer = yield* link.connect({ token: Redacted.value(gateway.token), device: newDevice() })
  return { gateway, link, answer }
})

describe("faults on request", () => {
  it.live("a restart is finished even if its requester has disconnected", () =>
    Effect.gen(function* () {
      const { gateway } = yield* operator()
      const asking = yield* Effect.forkChild(gateway.control.restart, { startImmediately: true })
      yield* Fiber.interrupt(asking)
      yield* operator()
    }).pipe(Effect.provide(Fast))
  )

  it.live("a restart says so, keeps the port and everything that was said", () =>
    Effect.gen(function* () {
      const { gateway, link } = yield* operator()
      yield* link.call("chat.send", { sessionKey: "main", message: "remember me", idempotencyKey: "a" })
      yield* link.waitFor((frame) => frame.payload?.state === "final")
      yield* gateway.control.restart
      assert.deepStrictEqual(yield* link.closed, { code: 1012, reason: "service restart" })
      const shutdown = link.frames.find((frame) => frame.event === "shutdown")
      assert.strictEqual(shutdown?.payload?.reason, "gateway stopping")
      const { link: again } = yield* operator()
      assert.include(JSON.stringify(yield* again.call("chat.history", { sessionKey: "main" })), "echo: remember me")
    }).pipe(Effect.provide(Fast))
  )

  it.live("a stopped gateway listens no more until it starts again", () =>
    Effect.gen(function* () {
      const gateway = yield* EmbeddedGateway
      yield* gateway.control.stop
      const refused = yield* Effect.result(Effect.tryPromise(() => fetch(`${gateway.url}/health`)))
      assert.strictEqual(refused._tag, "Failure")
      yield* gateway.control.start
      const answer = yield* Effect.promise(() => fetch(`${gateway.url}/health`))
      assert.deepStrictEqual(yield* Effect.promise(() => answer.json()), { ok: true, status: "live" })
    }).pipe(Effect.provide(Fast))
  )

  it.effect("while it is starting it says when to come back", () =>
    Effect.gen(function* () {
      const gateway = yield* EmbeddedGateway
      yield* gateway.control.startingFor("3 seconds")
      const early = yield* connectWith()
      assert.strictEqual(early.answer.error?.code, "UNAVAILABLE")
      assert.strictEqual(early.answer.error?.retryAfterMs, 500)
      assert.deepStrictEqual(yield* early.link.closed, { code: 1013, reason: "gateway starting" })
      const ready = yield* Effect.promise(() => fetch(`${gateway.url}/readyz`))
      assert.strictEqual(ready.status, 503)
      yield* Effect.promise(() => ready.text())
      yield* TestClock.adjust("3 seconds")
      assert.isTrue((yield* connectWith()).answer.ok)
    }).pipe(Effect.provide(Fast))
  )

  it.live("connections can be cut without a word", () =>
    Effect.gen(function* () {
      const { gateway, link } = yield* operator()
      assert.strictEqual(yield* gateway.control.connectionCount, 1)
      assert.strictEqual(yield* gateway.control.dropConnections, 1)
      assert.strictEqual((yield* link.closed).code, 1006)
    }).pipe(Effect.provide(Fast))
  )

  it.live("it can fall silent, and speak again", () =>
    Effect.gen(function* () {
      const { gateway, link } = yield* operator()
      yield* gateway.control.setResponding(false)
      yield* link.send({ type: "req", id: "lost", method: "health", params: {} })
      yield* Effect.suspend(() => gateway.control.frames).pipe(
        Effect.repeat({ until: (frames) => frames.some(({ text }) => text.includes("lost")) })
      )
      yield* gateway.control.setResponding(true)
      yield* link.call("health")
      assert.isUndefined(link.frames.find((frame) => frame.id === "lost"))
    }).pipe(Effect.provide(Fast))
  )

  it.live("a flood arrives whole, and does not pile up where nobody reads", () =>
    Effect.gen(function* () {
      const { gateway, link } = yield* operator()
      yield* gateway.control.flood({ frames: 2_000, bytes: 10_000 })
      const last = yield* link.waitFor((frame) => frame.event === "demo.flood" && frame.payload?.index === 1_999)
      assert.strictEqual(String(last.payload?.filler).length, 10_000)
    }).pipe(Effect.provide(Fast))
  )

  it.live("a client that does not read holds back the flood, not the gateway", () =>
    Effect.gen(function* () {
      const { gateway, link } = yield* operator()
      link.socket.pause()
      const flood = yield* Effect.forkChild(gateway.control.flood({ frames: 400, bytes: 100_000 }))
      yield* operator()
      assert.isUndefined(flood.pollUnsafe())
      link.socket.resume()
      yield* Fiber.join(flood)
      const last = yield* link.waitFor((frame) => frame.event === "demo.flood" && frame.payload?.index === 399)
      assert.isNumber(last.seq)
    }).pipe(Effect.provide(Fast))
  )

  it.live("tools over HTTP answer only where they are allowed", () =>
    Effect.gen(function* () {
      const gateway = yield* EmbeddedGateway
      const invoke = Effect.fnUntraced(function* (
        tool: string,
        args: object = {},
        headers: Record<string, string> = {}
      ) {
        const response = yield* Effect.promise(() =>
          fetch(`${gateway.url}/tools/invoke`, {
            method: "POST",
            headers: { authorization: `Bearer ${Redacted.value(gateway.token)}`, ...headers },
            body: JSON.stringify({ tool, args })
          })
        )
        return { status: response.status, text: yield* Effect.promise(() => response.text()) }
      })
      assert.strictEqual((yield* invoke("memory_store", { text: "x" })).status, 404)
      yield* gateway.control.allowTools(["memory_store", "cron", "sessions_spawn"])
      assert.strictEqual((yield* invoke("memory_store", { text: "x" })).status, 200)
      assert.strictEqual((yield* invoke("cron", { action: "list" })).status, 500)
      assert.strictEqual((yield* invoke("__proto__")).status, 404)
      assert.strictEqual((yield* invoke("sessions_list", {}, { "x-forwarded-for": "192.0.2.1" })).status, 403)
      const { link } = yield* operator()
      const spawned = yield* invoke("sessions_spawn", { task: "count", label: "counter" })
      assert.strictEqual(spawned.status, 200)
      const rows = JSON.stringify(yield* link.call("sessions.list", { spawnedBy: "main" }))
      assert.include(rows, '"label":"counter"')
    }).pipe(Effect.provide(Fast))
  )

  it.effect("a scheduled job runs when it is due", () =>
    Effect.gen(function* () {
      const { link } = yield* operator()
      yield* link.call("cron.add", {
        name: "Often",
        schedule: { kind: "every", everyMs: 60_000 },
        sessionTarget: "isolated",
        payload: { kind: "agentTurn", message: "hello" },
        delivery: { mode: "none" }
      })
      yield* TestClock.adjust("60 seconds")
      const finished = yield* link.waitFor((frame) => frame.event === "cron" && frame.payload?.action === "finished")
      assert.strictEqual(finished.payload?.status, "ok")
      assert.strictEqual(finished.payload?.summary, "done with cron")
    }).pipe(Effect.provide(Fast))
  )
})
