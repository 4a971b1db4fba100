import { randomUUID } from "node:crypto"
import { writeSync } from "node:fs"
import { NodeServices } from "@effect/platform-node"
import { Effect, Layer, Logger, Redacted } from "effect"
import { SqliteLive } from "../../../src/layers/Sqlite.ts"
import { GatewayClient } from "../../../src/services/gateway/client/GatewayClient.ts"
import { DeviceIdentity } from "../../../src/services/gateway/device/DeviceIdentity.ts"
import { GatewayFeed } from "../../../src/services/gateway/feed/GatewayFeed.ts"
import { EveryGateway } from "../../../src/services/gateway/registry/EveryGateway.ts"
import { Outbox } from "../../../src/services/outbox/Outbox.ts"
import { EventBus } from "../../../src/services/platform/events/EventBus.ts"
import { ServerReady, ServerReadyLive } from "../../../src/services/platform/ServerReady.ts"
import { Settings } from "../../../src/services/platform/settings/Settings.ts"
import { testSettings } from "../../support/testSettings.ts"

/** Takes message after message and prints the number of each that it has taken; its parent kills it. */
const [svcHome = "", gatewayUrl = "", token = "", first = "0", sessions = "1"] = process.argv.slice(2)

const settings = testSettings({ svcHome, gatewayUrl, gatewayToken: Redacted.make(token) })

const Console = Outbox.layer.pipe(
  Layer.provideMerge(EveryGateway.primaryOnly),
  Layer.provideMerge(GatewayFeed.layer),
  Layer.provideMerge(GatewayClient.layer),
  Layer.provideMerge(DeviceIdentity.layer),
  Layer.provideMerge(Layer.mergeAll(SqliteLive, EventBus.layer)),
  Layer.provideMerge(ServerReadyLive),
  Layer.provideMerge(Settings.layerOf(settings)),
  Layer.provide(NodeServices.layer),
  Layer.provide(Logger.layer([]))
)

const live = Effect.gen(function* () {
  // As in production, nothing is heard of a gateway before everything that follows it is there.
  yield* Effect.flatMap(ServerReady, ({ open }) => open)
  const outbox = yield* Outbox
  writeSync(1, "ready\n")
  for (let number = Number(first); ; number += 1) {
    const sessionKey = `agent:main:k${number % Number(sessions)}`
    yield* outbox.add({ id: randomUUID(), sessionKey, text: `message ${number}`, mode: "next" })
    writeSync(1, `${number}\n`)
    yield* Effect.sleep("15 millis")
  }
})

await Effect.runPromise(live.pipe(Effect.scoped, Effect.provide(Console)))
