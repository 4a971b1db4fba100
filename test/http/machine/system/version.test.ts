import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import manifest from "../../../../package.json" with { type: "json" }
import { makeApp } from "../../../support/makeApp.ts"

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

it.effect("GET /api/version/check says whether there is a newer version, or why it does not know", () =>
  Effect.gen(function* () {
    const app = yield* makeApp({ settings: { releasesUrl: "http://127.0.0.1:1/latest" } })
    const response = yield* app.request("/api/version/check")
    assert.strictEqual(response.status, 200)
    assert.deepInclude(yield* Effect.promise(() => response.json()), {
      current: manifest.version,
      latest: null,
      updateAvailable: false,
      reason: "couldn't reach the code host"
    })
  })
)

it.effect("an unknown API path is a JSON 404", () =>
  Effect.gen(function* () {
    const app = yield* makeApp()
    const response = yield* app.request("/api/nothing-here")
    assert.strictEqual(response.status, 404)
    assert.deepStrictEqual(yield* Effect.promise(() => response.json()), { error: "not_found" })
  })
)
