import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { makeJsonApp } from "../../support/gatewayApp.ts"

const ID = "6f1c1f0e-33a8-4c1a-9a3f-2f1f3a5b7c9d"
const KEY = "agent:main:main"

/** Requests that are about a gateway's sessions. */
const REQUESTS: ReadonlyArray<readonly [method: string, path: string, body?: object]> = [
  ["GET", "/api/outbox"],
  ["POST", "/api/outbox", { id: ID, sessionKey: KEY, text: "Hi", mode: "next" }],
  ["PATCH", `/api/outbox/${ID}`, { text: "Ho" }],
  ["DELETE", `/api/outbox/${ID}`],
  ["GET", `/api/drafts?sessionKey=${KEY}`],
  ["POST", "/api/inbox/x/resolve", { action: "deny" }],
  ["GET", "/api/sessions/marks"],
  ["PATCH", "/api/sessions/marks", { sessionKey: KEY, pinned: true }],
  ["GET", "/api/gateway/models"],
  ["GET", "/api/gateway/session-info"],
  ["POST", "/api/gateway/session-patch", { sessionKey: KEY, thinkingLevel: "low" }],
  ["DELETE", "/api/sessions?sessionKey=agent:main:x"],
  ["POST", "/api/sessions/compact", { sessionKey: KEY }],
  ["POST", "/api/sessions/stop", { sessionKey: KEY }],
  ["POST", "/api/gateways/primary/retry"],
  ["POST", "/api/gateways/primary/probe"]
]

it.live("what is about a gateway's sessions needs its token from another machine while sign-in is off", () =>
  Effect.gen(function* () {
    const app = yield* makeJsonApp({ settings: { gatewayToken: Redacted.make("right") } })
    for (const [method, path, body] of REQUESTS) {
      const ask = Effect.fnUntraced(function* (peer: string, headers: Record<string, string> = {}) {
        const init = { method, headers, peer, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
        const answer = yield* app.request(path, init)
        const text = yield* Effect.promise(() => answer.text())
        return { status: answer.status, text }
      })
      const without = yield* ask("8.8.8.8")
      assert.strictEqual(without.status, 403, `${method} ${path}`)
      const { details, ...rest } = JSON.parse(without.text)
      assert.deepStrictEqual(rest, { error: "not_trusted", why: { code: "NOT_TRUSTED" } }, path)
      assert.isString(details)
      const withToken = yield* ask("8.8.8.8", { "x-gateway-token": "right" })
      assert.notStrictEqual(withToken.status, 403, `${method} ${path}`)
      assert.notStrictEqual((yield* ask("127.0.0.1")).status, 403, `${method} ${path}`)
    }
  })
)
