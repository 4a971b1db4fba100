import { mkdirSync, writeFileSync } from "node:fs"
import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { HttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { readAgentALimits } from "../../../../src/services/usage/limits/agentALimits.ts"
import { temporaryFolder } from "../../../support/fileServices.ts"
import { testSettings } from "../../../support/testSettings.ts"

it.effect("a service that does not respond within five seconds is abandoned, and the session files are used", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    writeFileSync(`${folder}/auth.json`, JSON.stringify({ tokens: { access_token: "secret" } }))
    mkdirSync(`${folder}/sessions/2026/11/20`, { recursive: true })
    const primary = { used_percent: 7, window_minutes: 300, resets_in_seconds: 60 }
    const told = { timestamp: "1970-01-01T00:00:00.000Z", payload: { rate_limits: { primary } } }
    writeFileSync(`${folder}/sessions/2026/11/20/rollout-1.jsonl`, `${JSON.stringify(told)}\n`)
    const asked = yield* Deferred.make<void>()
    const silent = HttpClient.make(() => Effect.andThen(Deferred.succeed(asked, undefined), Effect.never))
    const reading = yield* Effect.forkChild(
      readAgentALimits(testSettings({ agentADir: folder })).pipe(
        Effect.provide(NodeServices.layer),
        Effect.provideService(HttpClient.HttpClient, silent)
      )
    )
    yield* Deferred.await(asked)
    yield* TestClock.adjust("5 seconds")
    assert.deepInclude(yield* Fiber.join(reading), { available: true, source: "local" })
  })
)
