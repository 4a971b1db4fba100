import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { makeAnsweringGateway } from "../../../support/answeringGateway.ts"
import { makeJsonApp } from "../../../support/gatewayApp.ts"

it.effect("after a gap in the numbers of events, what may be lost is read, once for several gaps", () =>
  Effect.gen(function* () {
    const gateway = yield* makeAnsweringGateway(
      () => Effect.succeed({ ts: 1, sessions: [], hasMore: false, jobs: [] }),
      { protocol: 4, version: "1", scopes: [], methods: new Set() }
    )
    yield* makeJsonApp({ gateway: gateway.layer })
    const lists = () =>
      gateway.calls.filter(({ method, params }) => method === "sessions.list" && "includeLastMessage" in params).length
    yield* TestClock.adjust("1 second")
    assert.strictEqual(lists(), 1)
    yield* gateway.emit("tick", {}, 1)
    yield* gateway.emit("tick", {}, 2)
    yield* TestClock.adjust("2 seconds")
    assert.strictEqual(lists(), 1)
    for (const seq of [5, 9, 12]) yield* gateway.emit("tick", {}, seq)
    yield* TestClock.adjust("2 seconds")
    assert.strictEqual(lists(), 2)
  })
)
