import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeGatewayApp } from "../../support/gatewayApp.ts"

it.effect("a card keeps a gateway that nobody knows, and what would start it says so", () =>
  Effect.gen(function* () {
    const app = yield* makeGatewayApp({ tokenMs: 0 })
    const made = yield* app.send("POST", "/api/kanban/tasks", { title: "Paint", gatewayId: "nowhere" })
    assert.deepInclude(made, { status: 201 })
    assert.strictEqual(made.body.gatewayId, "nowhere")
    const { id, version } = made.body
    const path = `/api/kanban/tasks/${id}`
    const refused = yield* app.send("POST", `${path}/execute`)
    assert.strictEqual(refused.status, 404)
    assert.strictEqual(refused.body.error, "unknown_gateway")
    // Nothing of a run is left on it.
    const after = (yield* app.send("GET", "/api/kanban/tasks")).body.items[0]
    assert.deepInclude(after, { status: made.body.status, version, gatewayId: "nowhere" })
    assert.notProperty(after, "run")
    const changed = yield* app.send("PATCH", path, { version, gatewayId: "elsewhere" })
    assert.deepInclude(changed.body, { gatewayId: "elsewhere" })
    assert.strictEqual((yield* app.send("POST", `${path}/execute`)).body.error, "unknown_gateway")
    const back = yield* app.send("PATCH", path, { version: changed.body.version, gatewayId: null })
    assert.notProperty(back.body, "gatewayId")
    assert.strictEqual((yield* app.send("POST", `${path}/execute`)).status, 200)
  })
)
