import { assert, it } from "@effect/vitest"
import { Effect, Redacted, Result } from "effect"
import { insertItem } from "../../../src/services/inbox/inboxTable.ts"
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
  ["GET", "/api/sessions"],
  ["PATCH", "/api/sessions", { sessionKey: KEY, pinned: true }],
  ["POST", "/api/sessions/reset", { sessionKey: KEY }],
  ["DELETE", "/api/sessions?sessionKey=agent:main:x"],
  ["POST", "/api/sessions/compact", { sessionKey: KEY }],
  ["POST", "/api/sessions/stop", { sessionKey: KEY }],
  ["POST", "/api/sessions/ask-again", { id: ID, sessionKey: KEY, messageId: "m" }],
  ["POST", "/api/sessions/regenerate", { id: ID, sessionKey: KEY }],
  ["POST", "/api/sessions/version", { sessionKey: KEY, leaf: "m" }],
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

it.live("a message or a decision needs the token of the gateway that it's for, not the primary's", () =>
  Effect.gen(function* () {
    const app = yield* makeJsonApp({ settings: { gatewayToken: Redacted.make("first") } })
    yield* app.send("POST", "/api/gateways", { id: "b", name: "B", url: "http://127.0.0.1:1", token: "second" })
    const message = { id: ID, gatewayId: "b", sessionKey: KEY, text: "Hi", mode: "next" }
    assert.strictEqual((yield* app.send("POST", "/api/outbox", message)).status, 201)
    yield* app.sqlite.transaction((db) =>
      Result.succeed(
        insertItem(db, "ask", {
          gatewayId: "b",
          origin: "exec",
          source: "one",
          kind: "approval",
          title: "rm",
          createdAt: 1,
          offers: ["deny"]
        })
      )
    )
    const requests: ReadonlyArray<readonly [method: string, path: string, body?: object]> = [
      ["GET", `/api/outbox/${ID}/attachments/0`],
      ["PATCH", `/api/outbox/${ID}`, { text: "Ho" }],
      ["POST", `/api/outbox/${ID}/resolve`, { action: "drop" }],
      ["POST", "/api/inbox/ask/resolve", { action: "deny" }],
      ["DELETE", `/api/outbox/${ID}`]
    ]
    for (const [method, path, body] of requests) {
      const ask = (token: string) =>
        Effect.map(
          app.request(path, {
            method,
            headers: { "x-gateway-token": token },
            peer: "8.8.8.8",
            ...(body === undefined ? {} : { body: JSON.stringify(body) })
          }),
          ({ status }) => status
        )
      assert.notStrictEqual(yield* ask("second"), 403, path)
      if (method !== "DELETE") assert.strictEqual(yield* ask("first"), 403, path)
    }
  })
)
