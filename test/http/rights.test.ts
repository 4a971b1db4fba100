import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Right } from "../../src/contract/schema/live.ts"
import { ClientRights } from "../../src/services/access/ClientRights.ts"
import { listen } from "../support/listen.ts"
import { HELLO, openLive } from "../support/liveSockets.ts"
import { makeApp } from "../support/makeApp.ts"

/** Gives every client these rights. */
const withRights = (...rights: ReadonlyArray<Right>) => Effect.provideService(ClientRights, () => rights)

/** A path that matches a route: any parameter will do. */
const pathOf = (pattern: string) => pattern.replace(/:\w+/g, "x").replace("*", "")

it.effect("every closed route needs a right, the highest one unless it says otherwise", () =>
  Effect.gen(function* () {
    const { routes } = yield* makeApp({ settings: { development: true } })
    const needing = (right: Right | undefined) =>
      routes.filter((row) => row.right === right).map(({ method, pattern }) => `${method} ${pattern}`)
    const ofClosed = routes.filter(({ mark }) => mark.access === "session" || mark.access === "command")
    assert.isTrue(ofClosed.every(({ right }) => right !== undefined))
    assert.sameMembers(needing("own"), [
      "GET /ws",
      "GET /api/doctor",
      "GET /api/version/check",
      "GET /api/connect-defaults",
      "POST /api/events/test",
      "GET /api/mcp/tokens",
      "POST /api/mcp/tokens",
      "DELETE /api/mcp/tokens/:id",
      "GET /api/mcp/gateway",
      "PUT /api/mcp/gateway",
      "DELETE /api/mcp/gateway",
      "POST /api/gateways",
      "PATCH /api/gateways/:id",
      "DELETE /api/gateways/:id",
      "POST /api/gateways/:id/retry",
      "POST /api/gateways/:id/probe",
      "PATCH /api/search/index",
      "POST /api/search/index/rebuild",
      "DELETE /api/search/index",
      "PUT /api/language",
      "PUT /api/voice-phrases/:lang",
      "PUT /api/tts/config",
      "PUT /api/transcribe/config"
    ])
    assert.includeMembers(needing("manage"), [
      "PATCH /api/sessions",
      "DELETE /api/sessions",
      "POST /api/sessions/reset",
      "POST /api/sessions/compact",
      "POST /api/sessions/version",
      "PUT /api/kanban/config",
      "POST /api/crons"
    ])
    assert.includeMembers(needing("talk"), [
      "GET /api/outbox",
      "POST /api/outbox",
      "PUT /api/drafts",
      "POST /api/sessions/stop",
      "POST /api/sessions/ask-again",
      "POST /api/sessions/regenerate",
      "POST /api/inbox/:id/resolve"
    ])
    // What changes something needs more than reading, but for a device's own notifications and a preview.
    assert.sameMembers(
      needing("read").filter((name) => !name.startsWith("GET ")),
      [
        "POST /api/push/subscriptions",
        "PATCH /api/push/subscriptions/:id",
        "DELETE /api/push/subscriptions/:id",
        "POST /api/push/subscriptions/:id/test",
        "POST /api/inbox/seen",
        "POST /api/preview"
      ]
    )
  })
)

const QUICK = new Set(["/api/kanban/config", "/api/budgets", "/api/inbox", "/api/server-info", "/api/outbox"])

it.effect.each(["read", "talk", "manage"] as const)("the right %s reaches what needs it, and nothing else", (right) =>
  Effect.gen(function* () {
    const app = yield* makeApp({ settings: { development: true } })
    for (const { method, pattern, right: needed } of app.routes) {
      if (needed === undefined) continue
      // Other reads may wait for a gateway or a program.
      if (needed === right && method === "GET" && !QUICK.has(pattern)) continue
      const body = method === "GET" || method === "DELETE" ? {} : { body: "{}" }
      const answer = yield* app.request(pathOf(pattern), { method, ...body })
      const text = yield* Effect.promise(() => answer.text())
      const isRefused = answer.status === 403 && JSON.parse(text).error === "no_right"
      assert.strictEqual(isRefused, needed !== right, `${method} ${pattern}`)
      if (isRefused) assert.deepStrictEqual(JSON.parse(text).why, { code: "NO_RIGHT" })
    }
  }).pipe(withRights(right))
)

it.live("a live connection says which rights its client has, and shows nothing without the right to read", () =>
  Effect.gen(function* () {
    const { ports } = yield* listen().pipe(withRights("talk"), Effect.provide(NodeServices.layer))
    const live = yield* openLive(ports.http)
    yield* live.send(HELLO)
    assert.deepInclude(yield* live.nextOf("welcome"), { me: { rights: ["talk"] } })
    for (const [at, topic] of ["events", "gateways", "sessions", "conversation"].entries()) {
      yield* live.send({ t: "open", c: at + 1, topic, key: "agent:main:main", rate: "live" })
      assert.deepStrictEqual(yield* live.nextOf("gone"), { t: "gone", c: at + 1, why: { code: "NO_RIGHT" } })
    }
    assert.strictEqual(yield* Effect.flip(openLive(ports.http, { path: "/ws" })), 403)
  })
)

it.live("everybody has every right", () =>
  Effect.gen(function* () {
    const { ports } = yield* listen().pipe(Effect.provide(NodeServices.layer))
    const live = yield* openLive(ports.http)
    yield* live.send(HELLO)
    assert.deepInclude(yield* live.nextOf("welcome"), { me: { rights: ["read", "talk", "manage", "own"] } })
  })
)
