import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Logger, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { practiceGateway } from "../../../../practice-gateway/older/practiceGateway.ts"
import { EmbeddedGateway } from "../../../../practice-gateway/src/EmbeddedGateway.ts"
import { GatewayClient } from "../../../../src/services/gateway/client/GatewayClient.ts"
import { LinkWakeLive } from "../../../../src/services/gateway/client/LinkWake.ts"
import { clientLayer, connected, statusWhere } from "../../../support/liveClient.ts"
import { serveProxy } from "../../../support/serveApp.ts"
import { openProxy } from "../../../support/sockets.ts"

const CONNECT = {
  type: "req",
  id: "c-1",
  method: "connect",
  params: {
    minProtocol: 3,
    maxProtocol: 4,
    client: { id: "gateway-client", version: "1.0.0", platform: "web", mode: "ui" },
    role: "operator",
    scopes: ["operator.admin", "operator.read", "operator.write"]
  }
}

/** A gateway, the console's own connection to it and the proxy for browsers; the clock is stopped. */
const started = Effect.gen(function* () {
  const gateway = yield* Effect.provide(
    EmbeddedGateway,
    yield* Layer.build(practiceGateway({ tokenMs: 0, seed: false }))
  )
  const { url, token } = gateway
  const client = yield* Layer.build(clientLayer({ url, token: Redacted.value(token) }))
  const { port } = yield* serveProxy({ gatewayUrl: url, gatewayToken: token })
  return { control: gateway.control, port, client, link: Context.get(client, GatewayClient) }
})

/** A browser's session up to the gateway's answer. */
const openPage = Effect.fnUntraced(function* (port: number) {
  const page = yield* openProxy(port)
  yield* page.next
  yield* page.send(CONNECT)
  return (yield* page.nextJson).ok
})

describe("a page that got in after an outage", () => {
  it.effect("brings the console's own link back, which would have waited on", () =>
    Effect.gen(function* () {
      const { client, control, link, port } = yield* started
      yield* Effect.provide(connected, client)
      yield* control.stop
      yield* Effect.provide(
        statusWhere(({ gateway }) => gateway === "unreachable"),
        client
      )
      yield* control.start
      assert.isUndefined(yield* link.connection)
      assert.strictEqual(yield* openPage(port), true)
      yield* Effect.provide(connected, client)
    }).pipe(Effect.provide(Layer.merge(LinkWakeLive, Logger.layer([]))))
  )

  it.effect("has the device asked about that was approved meanwhile", () =>
    Effect.gen(function* () {
      const { client, control, port } = yield* started
      yield* Effect.provide(connected, client)
      yield* control.setDevicePolicy("refuse")
      yield* control.dropConnections
      yield* Effect.provide(
        statusWhere(({ gateway }) => gateway === "unreachable"),
        client
      )
      yield* TestClock.adjust(1250)
      yield* Effect.provide(
        statusWhere(({ approval }) => approval !== undefined),
        client
      )
      yield* control.setDevicePolicy("auto")
      assert.strictEqual(yield* openPage(port), true)
      yield* Effect.provide(connected, client)
    }).pipe(Effect.provide(Layer.merge(LinkWakeLive, Logger.layer([]))))
  )
})
