import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryDirectory } from "../../support/runConsole.ts"
import { makeBoardClient } from "./boardClient.ts"

it.effect("a damaged board is replaced at the start, and /health says where the old file lies", () =>
  Effect.gen(function* () {
    const svcHome = yield* temporaryDirectory
    writeFileSync(join(svcHome, "console.db"), "no database".repeat(500))
    const { app, call } = yield* makeBoardClient({ settings: { svcHome } })
    assert.strictEqual((yield* call("POST", "tasks", { title: "T" })).status, 201)
    const health = yield* app.json(yield* app.request("/health"))
    assert.match(JSON.stringify(health), /"database":"was damaged and replaced: [^"]+console\.db\.damaged-[^"]+"/)
    assert.notInclude(JSON.stringify(health), svcHome)
  })
)
