import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { GatewayClient, type GatewayConnection } from "../../../src/services/gateway/client/GatewayClient.ts"
import {
  EveryGateway,
  type LinkedGateway,
  makeEveryGateway
} from "../../../src/services/gateway/registry/EveryGateway.ts"
import { EventBus } from "../../../src/services/platform/events/EventBus.ts"
import { Settings } from "../../../src/services/platform/settings/Settings.ts"
import { TokenUsage } from "../../../src/services/usage/TokenUsage.ts"
import { makeAnsweringGateway } from "../../support/answeringGateway.ts"
import { temporaryFolder } from "../../support/fileServices.ts"
import { testSettings } from "../../support/testSettings.ts"

const connection: GatewayConnection = { protocol: 4, version: "2026.9.6", scopes: [], methods: new Set() }
const date = "2026-11-20"
const totals = { input: 1000, output: 100, cacheRead: 0, cacheWrite: 0, totalCost: 0.01 }
const usage = {
  aggregates: { daily: [{ date, tokens: 1100, cost: 0.01, messages: 1, errors: 0 }] },
  cacheStatus: { status: "fresh" },
  sessions: [
    {
      key: "agent:main:main",
      sessionId: "s",
      agentId: "main",
      usage: {
        modelUsage: [{ provider: "mock", model: "mock-fast", count: 1, totals }],
        messageCounts: { errors: 0 }
      }
    }
  ]
}

const feed: LinkedGateway["feed"] = {
  gatewayId: "unused",
  events: Effect.never,
  early: Effect.never,
  follow: () => Effect.never,
  list: () => Effect.never,
  lagMs: Effect.never,
  sessions: { read: Effect.never, readMore: () => Effect.never, find: () => Effect.never }
}

const clientOf = (layer: Layer.Layer<GatewayClient>) =>
  Effect.map(Layer.build(layer), (context) => Context.get(context, GatewayClient))

it.effect("a gateway that is replaced during a count is counted at once, not a minute later", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const settings = testSettings({
      svcHome: folder,
      gatewayHome: `${folder}/gateway`,
      usageFile: `${folder}/usage.json`
    })
    const { every, joined } = makeEveryGateway()
    const asked = yield* Deferred.make<void>()
    const go = yield* Deferred.make<void>()
    const old = yield* makeAnsweringGateway(
      () => Effect.andThen(Deferred.succeed(asked, undefined), Effect.as(Deferred.await(go), usage)),
      connection
    )
    const fresh = yield* makeAnsweringGateway(() => Effect.succeed(usage), connection)
    const first = yield* Scope.make()
    yield* joined({ id: "work", client: yield* clientOf(old.layer), feed }, first)
    const services = Layer.mergeAll(
      Settings.layerOf(settings),
      EventBus.layer,
      Layer.succeed(EveryGateway, EveryGateway.of(every)),
      NodeServices.layer
    )
    const context = yield* Layer.build(TokenUsage.layer.pipe(Layer.provideMerge(services)))
    const tokens = Context.get(context, TokenUsage)
    const bus = Context.get(context, EventBus)

    const counting = yield* Effect.forkChild(tokens.summary("work"))
    yield* Deferred.await(asked)
    yield* Scope.close(first, Exit.void)
    yield* joined({ id: "work", client: yield* clientOf(fresh.layer), feed }, yield* Effect.scope)
    yield* bus.publish({ event: "status.changed", data: { gateway: "ok", since: 0 } })
    yield* Deferred.succeed(go, undefined)
    yield* Fiber.await(counting)

    // The clock stands still: neither the first count nor the one of the next minute comes by itself.
    const found = yield* tokens.summary("work").pipe(
      Effect.tap(() => Effect.promise(() => new Promise(setImmediate))),
      Effect.repeat({ until: ({ totalInput }) => totalInput > 0 })
    )
    assert.strictEqual(found.totalInput, 1000)
    assert.strictEqual((yield* tokens.summary()).totalInput, 1000)
  })
)
