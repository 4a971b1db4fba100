import { Effect, Layer, PubSub, Redacted, Schema } from "effect"
import { GatewayClient } from "../../src/services/gateway/client/GatewayClient.ts"
import { DeviceIdentity } from "../../src/services/gateway/device/DeviceIdentity.ts"
import { type DeviceKey, generateDeviceKey } from "../../src/services/gateway/device/deviceKey.ts"
import { EventBus } from "../../src/services/platform/events/EventBus.ts"
import { Settings } from "../../src/services/platform/settings/Settings.ts"
import { testSettings } from "./testSettings.ts"

/** The server's own client for the gateway at `url`, with its own device, and the bus it publishes on. */
export const clientLayer = (
  gateway: { readonly url: string; readonly token: string },
  key: DeviceKey = generateDeviceKey()
) =>
  GatewayClient.layer.pipe(
    Layer.provide(Layer.succeed(DeviceIdentity, DeviceIdentity.fromKey(key))),
    Layer.provide(
      Settings.layerOf(testSettings({ gatewayUrl: gateway.url, gatewayToken: Redacted.make(gateway.token) }))
    ),
    Layer.provideMerge(EventBus.layer)
  )

const StatusData = Schema.Struct({
  gateway: Schema.Literals(["ok", "unreachable"]),
  since: Schema.Finite,
  reason: Schema.optionalKey(Schema.String),
  approval: Schema.optionalKey(Schema.Struct({ requestId: Schema.NullOr(Schema.String) }))
})
const decodeStatus = Schema.decodeUnknownEffect(StatusData)

/** Waits for a status that satisfies `wanted`: the current one, or one from `status.changed`. */
export const statusWhere = Effect.fnUntraced(function* (wanted: (status: typeof StatusData.Type) => boolean) {
  const client = yield* GatewayClient
  const bus = yield* EventBus
  const changes = yield* bus.subscribe
  let status: typeof StatusData.Type = yield* client.status
  while (!wanted(status)) {
    const event = yield* PubSub.take(changes)
    if (event.event === "status.changed") status = yield* decodeStatus(event.data)
  }
  return status
})

/** Waits until the connection is up with all its scopes. */
export const connected = statusWhere((status) => status.gateway === "ok" && status.reason === undefined)
