import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { GatewayClient, type GatewayClientShape } from "../../../src/services/gateway/client/GatewayClient.ts"
import { makeAnsweringGateway } from "../../support/answeringGateway.ts"
import { makeJsonApp } from "../../support/gatewayApp.ts"

it.live("a conversation's first page is read ahead of background calls, because someone waits for it", () =>
  Effect.gen(function* () {
    const gateway = yield* makeAnsweringGateway(
      () => Effect.succeed({ ts: 1, sessions: [], messages: [], hasMore: false, jobs: [] }),
      { protocol: 4, version: "1", scopes: [], methods: new Set() }
    )
    const background: Array<boolean> = []
    const noting = Layer.effect(
      GatewayClient,
      Effect.map(GatewayClient, (client) => {
        const request: GatewayClientShape["request"] = (method, params, payload, options) => {
          if (method === "chat.history") background.push(options?.background === true)
          return client.request(method, params, payload, options)
        }
        return { ...client, request }
      })
    ).pipe(Layer.provide(gateway.layer))
    const { send } = yield* makeJsonApp({ gateway: noting })
    const { status } = yield* send("GET", "/api/sessions/conversation?sessionKey=agent%3Amain%3Anew")
    assert.strictEqual(status, 200)
    assert.strictEqual(background[0], false)
  })
)
