import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { freePort } from "../../support/freePort.ts"
import { makeApp } from "../../support/makeApp.ts"

const SECRET = "a-password-that-must-not-be-seen"

it.live("a board whose database is away answers 503 with a sentence, and everything else works", () =>
  Effect.gen(function* () {
    const port = yield* Effect.promise(freePort)
    const boardUrl = Redacted.make(`postgres://console:${SECRET}@127.0.0.1:${port}/team`)
    const { request, json } = yield* makeApp({ settings: { boardUrl } })
    const send = (method: string, path: string, body?: object) =>
      request(path, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } })
      })
    const asked = yield* Effect.all(
      [
        send("GET", "/api/kanban/tasks"),
        send("GET", "/api/kanban/config"),
        send("GET", "/api/kanban/proposals"),
        send("POST", "/api/kanban/tasks", { title: "T" }),
        send("PATCH", "/api/kanban/tasks/x", { version: 1, title: "T" }),
        send("DELETE", "/api/kanban/tasks/x"),
        send("POST", "/api/kanban/tasks/x/reorder", { version: 1, targetStatus: "todo", targetIndex: 0 }),
        send("POST", "/api/kanban/tasks/x/execute", {}),
        send("POST", "/api/kanban/proposals", { type: "create", payload: { title: "T" } }),
        send("PUT", "/api/kanban/config", { quickViewLimit: 7 })
      ],
      { concurrency: "unbounded" }
    )
    for (const response of asked) {
      const body = yield* json(response)
      assert.strictEqual(response.status, 503)
      assert.deepInclude(body, { error: "board_unavailable" })
      const text = JSON.stringify(body)
      assert.include(text, "can't be reached")
      assert.notInclude(text, SECRET)
      assert.notInclude(text, String(port))
    }
    const health = yield* request("/health")
    assert.strictEqual(health.status, 200)
    const { board, status } = yield* Effect.map(json(health), (body) => Object(body))
    assert.strictEqual(status, "ok")
    assert.include(board, "can't be reached")
    for (const path of ["/api/inbox", "/api/version", "/metrics"]) {
      const response = yield* request(path)
      assert.strictEqual(response.status, 200, path)
      yield* Effect.promise(() => response.text())
    }
  })
)
