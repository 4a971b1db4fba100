import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import manifest from "../../../package.json" with { type: "json" }
import { makeApp } from "../../support/makeApp.ts"

it.effect("GET /api/version names the package and its version", () =>
  Effect.gen(function* () {
    const app = yield* makeApp()
    const response = yield* app.request("/api/version")
    assert.strictEqual(response.status, 200)
    assert.deepStrictEqual(yield* Effect.promise(() => response.json()), {
      version: manifest.version,
      name: manifest.name
    })
  })
)

it.effect("an unknown API path is a JSON 404 (D16)", () =>
  Effect.gen(function* () {
    const app = yield* makeApp()
    const response = yield* app.request("/api/nothing-here")
    assert.strictEqual(response.status, 404)
    assert.deepStrictEqual(yield* Effect.promise(() => response.json()), { error: "not_found" })
  })
)
