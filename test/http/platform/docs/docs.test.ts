import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { EVENT_NAMES } from "../../../../src/contract/ConsoleEvent.ts"
import { eventSchemas } from "../../../../src/contract/schema/events.ts"
import { clientFrames, serverFrames } from "../../../../src/contract/schema/live.ts"
import { referencePage } from "../../../../src/http/platform/docs/DocsRoutes.ts"
import { openApiDocument } from "../../../../src/http/platform/docs/openApiDocument.ts"
import { makeApp } from "../../../support/makeApp.ts"

const document = openApiDocument("svc_session_3080", "")

it("the document is OpenAPI 3.1 and has every route that is served beside the contract", () => {
  assert.strictEqual(document.openapi, "3.1.0")
  for (const path of [
    "/health",
    "/api/version",
    "/api/auth/login",
    "/api/events",
    "/api/live",
    "/ws",
    "/api/docs",
    "/api/openapi.json"
  ]) {
    assert.property(document.paths, path)
  }
})

it("every operation has a summary, a name of its own and answers", () => {
  const names = new Set<string>()
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of ["get", "post", "put", "patch", "delete"] as const) {
      const operation = item[method]
      if (operation === undefined) continue
      assert.isNotEmpty(operation.summary ?? "", `${method} ${path} has no summary`)
      assert.isFalse(names.has(operation.operationId), operation.operationId)
      names.add(operation.operationId)
      assert.isNotEmpty(Object.keys(operation.responses), `${method} ${path}`)
    }
  }
})

it("every event is described with its fields, and no other", () => {
  const { content } = document.paths["/api/events"]?.get?.responses["200"] ?? {}
  const listed: unknown = content?.["text/event-stream"]?.schema.anyOf
  assert.deepStrictEqual(
    listed,
    EVENT_NAMES.map((name) => ({ $ref: `#/components/schemas/${name}` }))
  )
  assert.deepStrictEqual(Object.keys(eventSchemas).sort(), [...EVENT_NAMES].sort())
  const { schemas } = document.components
  for (const name of EVENT_NAMES) {
    const written = JSON.stringify(schemas[name])
    // A record that answers carry as well is described in a place of its own.
    const shared = /"data":\{"\$ref":"#\/components\/schemas\/(\w+)"/.exec(written)?.[1]
    const schema = shared === undefined ? written : written + JSON.stringify(schemas[shared])
    assert.include(schema, `"enum":["${name}"]`)
    for (const field of Object.keys(eventSchemas[name].fields.data.fields)) assert.include(schema, `"${field}"`, name)
  }
})

it("every frame of the live connection is described with its fields", () => {
  const description = document.paths["/api/live"]?.get?.description ?? ""
  for (const [t, schema] of [...Object.entries(clientFrames), ...Object.entries(serverFrames)]) {
    assert.include(description, `live.${t}`)
    const written = JSON.stringify(document.components.schemas[`live.${t}`])
    for (const field of Object.keys(schema.fields)) assert.include(written, `"${field}"`, t)
  }
})

it("the connection's, the agents' and the approvals' parameters and routes are described", () => {
  const parameters = (path: string) => document.paths[path]?.get?.parameters.map(({ name }) => name)
  assert.deepStrictEqual(parameters("/ws"), ["target", "device"])
  assert.include(parameters("/api/memories") ?? [], "agent")
  assert.property(document.paths, "/api/agents")
  assert.property(document.paths, "/api/inbox")
  assert.property(document.paths, "/api/outbox")
  assert.property(document.paths, "/api/drafts")
})

it.effect("every operation of the document is really served", () =>
  Effect.gen(function* () {
    const app = yield* makeApp({ settings: { development: true } })
    for (const [path, item] of Object.entries(document.paths)) {
      const response = yield* app.request(path.replace(/\{\w+\}/g, "x"), { method: "OPTIONS" })
      const allowed = response.headers.get("allow") ?? ""
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
        if (Reflect.has(item, method.toLowerCase())) assert.include(allowed.split(", "), method, path)
      }
    }
  })
)

it("sessions are asked for where the console asks for them", () => {
  assert.deepStrictEqual(document.paths["/api/server-info"]?.get?.security, [{ session: [] }])
  assert.deepStrictEqual(document.paths["/api/events"]?.get?.security, [{ session: [] }])
  assert.deepStrictEqual(document.paths["/api/version"]?.get?.security, [])
  assert.deepStrictEqual(document.paths["/api/auth/login"]?.post?.security, [])
  assert.include(document.paths["/api/server-info"]?.get?.description ?? "", "60 requests in 60 s")
})

it.effect("the page shows every path and needs neither script nor another host", () =>
  Effect.gen(function* () {
    const app = yield* makeApp()
    const response = yield* app.request("/api/docs")
    assert.strictEqual(response.headers.get("content-type"), "text/html; charset=utf-8")
    const page = yield* Effect.promise(() => response.text())
    assert.strictEqual(page, referencePage(document))
    for (const path of Object.keys(document.paths)) assert.include(page, `<code>${path}</code>`)
    assert.notMatch(page, /<script|<link|<img|https?:\/\/|\son\w+=/)
    const json = yield* app.json(yield* app.request("/api/openapi.json"))
    assert.deepStrictEqual(json, JSON.parse(JSON.stringify(document)))
  })
)
