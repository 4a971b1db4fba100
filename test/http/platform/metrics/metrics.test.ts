import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted, Schedule } from "effect"
import { TestClock } from "effect/testing"
import { hashPassword } from "../../../../src/services/access/auth/passwordHash.ts"
import { makeGatewayApp, makeJsonApp } from "../../../support/gatewayApp.ts"

const LINE = /^[a-z_]+(?:\{[a-z]+="[^"]*"(?:,[a-z]+="[^"]*")*\})? (?:[0-9.e+-]+|\+Inf)$/

const figures = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text
      .trim()
      .split("\n")
      .filter((line) => !line.startsWith("#"))
      .map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))])
  )

it.effect("returns figures to this machine in the text format of Prometheus, and no user content", () =>
  Effect.gen(function* () {
    const app = yield* makeJsonApp({ settings: { gatewayToken: Redacted.make("gateway-secret") } })
    const read = Effect.gen(function* () {
      const answer = yield* app.request("/metrics")
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(answer.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8")
      assert.strictEqual(answer.headers.get("x-frame-options"), "DENY")
      return yield* Effect.promise(() => answer.text())
    })
    const before = figures(yield* read)
    yield* app.send("POST", "/api/kanban/tasks", { title: "private title" })
    yield* app.send("GET", "/api/kanban/tasks?q=private-search")
    yield* app.send("GET", "/api/private-path")
    yield* app.send("BREW", "/api/version")
    const text = yield* read
    for (const line of text.trim().split("\n")) if (!line.startsWith("#")) assert.match(line, LINE)
    assert.notMatch(text, /private|gateway-secret|BREW|\/api/)
    const after = figures(text)
    const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
    assert.strictEqual(grown('agent_console_http_requests_total{method="POST",status="2xx"}'), 1)
    assert.strictEqual(grown('agent_console_http_requests_total{method="GET",status="2xx"}'), 1)
    assert.strictEqual(grown('agent_console_http_requests_total{method="GET",status="4xx"}'), 1)
    assert.strictEqual(grown('agent_console_http_requests_total{method="other",status="4xx"}'), 1)
    assert.strictEqual(grown("agent_console_http_request_duration_seconds_count"), 4)
    assert.strictEqual(grown('agent_console_board_tasks{status="todo"}'), 1)
    assert.strictEqual(after.get("agent_console_gateway_up"), 0)
    assert.strictEqual(after.get('agent_console_tokens{direction="input"}'), 0)
    assert.strictEqual(after.get("agent_console_event_streams"), 0)
    assert.strictEqual(after.get("agent_console_last_backup_timestamp_seconds"), 0)
    assert.isAbove(after.get("process_resident_memory_bytes") ?? 0, 1_000_000)
  })
)

it.effect("says what has waited, and for how long", () =>
  Effect.gen(function* () {
    const svcHome = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "agent-console-metrics-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    )
    // Before the start, which makes one where there is none yet.
    writeFileSync(join(svcHome, "archive"), "")
    const backup = { file: join(svcHome, "archive"), at: 30_000 }
    writeFileSync(join(svcHome, "last-backup.json"), JSON.stringify(backup))
    writeFileSync(join(svcHome, "automatic-backups.json"), JSON.stringify([{ ...backup, at: 0 }]))
    const app = yield* makeJsonApp({ settings: { svcHome, backupEvery: 24 } })
    const read = Effect.gen(function* () {
      const answer = yield* app.request("/metrics")
      return figures(yield* Effect.promise(() => answer.text()))
    })
    const before = yield* read
    assert.strictEqual(before.get("agent_console_outbox_oldest_message_age_seconds"), 0)
    assert.strictEqual(before.get("agent_console_backup_interval_seconds"), 86_400)
    // There before any; others in this process have counted, too.
    assert.isNumber(before.get('agent_console_push_requests_total{result="failed"}'))

    yield* TestClock.adjust("1 minute")
    const message = { id: crypto.randomUUID(), sessionKey: "agent:main:main", text: "private text", mode: "next" }
    assert.strictEqual((yield* app.send("POST", "/api/outbox", message)).status, 201)
    const later = { ...message, id: crypto.randomUUID(), notBefore: 10 * 60_000 }
    assert.strictEqual((yield* app.send("POST", "/api/outbox", later)).status, 201)
    yield* TestClock.adjust("90 seconds")
    const after = yield* read
    assert.strictEqual(after.get('agent_console_outbox_messages{state="waiting"}'), 2)
    assert.strictEqual(after.get("agent_console_outbox_oldest_message_age_seconds"), 90)
    assert.strictEqual(after.get("agent_console_last_backup_timestamp_seconds"), 30)
    // No gateway has answered since the start.
    assert.strictEqual(after.get('agent_console_feed_lag_seconds{gateway="primary"}'), 150)
    yield* TestClock.adjust("1 hour")
    assert.strictEqual((yield* read).get("agent_console_outbox_oldest_message_age_seconds"), 3_690)
  })
)

it.live("names the lag behind each gateway, and forgets one that is removed", () =>
  Effect.gen(function* () {
    const app = yield* makeJsonApp()
    const gateways = Effect.gen(function* () {
      const answer = yield* app.request("/metrics")
      const names = figures(yield* Effect.promise(() => answer.text())).keys()
      return [...names].filter((name) => name.startsWith("agent_console_feed_lag_seconds"))
    })
    const work = { id: "work", name: "Work", url: "http://127.0.0.1:1", token: "x" }
    assert.strictEqual((yield* app.send("POST", "/api/gateways", work)).status, 201)
    assert.include(yield* gateways, 'agent_console_feed_lag_seconds{gateway="work"}')
    assert.strictEqual((yield* app.send("DELETE", "/api/gateways/work")).status, 200)
    assert.deepStrictEqual(yield* gateways, ['agent_console_feed_lag_seconds{gateway="primary"}'])
  })
)

it.live("has no lag behind a gateway that is there", () =>
  Effect.gen(function* () {
    const app = yield* makeGatewayApp({})
    const lag = Effect.gen(function* () {
      const answer = yield* app.request("/metrics")
      return figures(yield* Effect.promise(() => answer.text())).get(
        'agent_console_feed_lag_seconds{gateway="primary"}'
      )
    })
    yield* Effect.repeat(lag, { schedule: Schedule.spaced("20 millis"), until: (seconds) => seconds === 0 })
  })
)

it.effect("answers nobody else while sign-in is off", () =>
  Effect.gen(function* () {
    const app = yield* makeJsonApp({ settings: { host: "0.0.0.0", allowInsecure: true } })
    const headers = { host: "192.0.2.1:3080" }
    assert.strictEqual((yield* app.request("/metrics", { peer: "192.0.2.7", headers })).status, 403)
    const forwarded = { ...headers, "x-forwarded-for": "192.0.2.7" }
    assert.strictEqual((yield* app.request("/metrics", { headers: forwarded })).status, 403)
    assert.strictEqual((yield* app.request("/metrics")).status, 200)
  })
)

it.effect("answers others once they are signed in", () =>
  Effect.gen(function* () {
    const passwordHash = Redacted.make(yield* hashPassword("open sesame"))
    const app = yield* makeJsonApp({ settings: { authEnabled: true, passwordHash } })
    const far = { peer: "192.0.2.7" }
    assert.strictEqual((yield* app.request("/metrics", far)).status, 401)
    const login = yield* app.request("/api/auth/login", {
      ...far,
      method: "POST",
      body: JSON.stringify({ password: "open sesame" })
    })
    const cookie = (login.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
    assert.strictEqual((yield* app.request("/metrics", { ...far, headers: { cookie } })).status, 200)
    assert.strictEqual((yield* app.request("/metrics")).status, 200)
  })
)
