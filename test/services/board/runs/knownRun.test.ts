import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { gatewayRuns } from "../../../../src/services/board/runs/gatewayRuns.ts"
import { makeSessionActivity } from "../../../../src/services/gateway/activity/SessionActivity.ts"
import { GatewayClient } from "../../../../src/services/gateway/client/GatewayClient.ts"
import { makeListedSessions } from "../../../../src/services/gateway/sessions/ListedSessions.ts"
import { makeAnsweringGateway } from "../../../support/answeringGateway.ts"

const KEY = "agent:main:task-1-1"
const ORDER = { taskId: "1", sessionKey: KEY, runId: "r", startedAt: 0, model: "a/b", modelIsFallback: false }

const isKnown = (messages: ReadonlyArray<object>, rows: ReadonlyArray<object>) =>
  Effect.gen(function* () {
    const { layer } = yield* makeAnsweringGateway(({ method }) =>
      Effect.succeed(method === "chat.history" ? { messages } : { sessions: rows })
    )
    const client = Context.get(yield* Layer.build(layer), GatewayClient)
    return yield* gatewayRuns(client, yield* makeSessionActivity(client, yield* makeListedSessions(client))).isKnown(
      ORDER
    )
  })

describe("a run that is looked up after a restart, or by another console", () => {
  it.effect("is known by its messages, and by its session that runs while it has none", () =>
    Effect.gen(function* () {
      assert.isTrue(yield* isKnown([{ role: "user", content: "Do it." }], []))
      assert.isTrue(yield* isKnown([], [{ key: KEY, status: "running" }]))
      assert.isTrue(yield* isKnown([], [{ key: KEY, hasActiveRun: true }]))
    })
  )

  it.effect("isn't known by a session that was only prepared, or by another one", () =>
    Effect.gen(function* () {
      assert.isFalse(yield* isKnown([], []))
      assert.isFalse(yield* isKnown([], [{ key: KEY }]))
      assert.isFalse(yield* isKnown([], [{ key: KEY, status: "done", hasActiveRun: false }]))
      assert.isFalse(yield* isKnown([], [{ key: `${KEY}0`, status: "running" }]))
    })
  )
})
