import { Effect, Layer, PubSub, Redacted, Schema } from "effect"
import { DeviceIdentity } from "../../../src/services/device/DeviceIdentity.ts"
import { type DeviceKey, generateDeviceKey } from "../../../src/services/device/deviceKey.ts"
import { EventBus } from "../../../src/services/events/EventBus.ts"
import { GatewayClient, type GatewayEvent } from "../../../src/services/gateway/GatewayClient.ts"
import { Settings } from "../../../src/services/settings/Settings.ts"
import { testSettings } from "../../support/testSettings.ts"

/** The server's own client against the gateway at `url`, with a device of its own, and the bus it publishes on. */
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
  reason: Schema.optionalKey(Schema.String)
})
const decodeStatus = Schema.decodeUnknownEffect(StatusData)

/** Waits for a status that satisfies `wanted`: the present one, or one that `status.changed` tells. */
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

/** Waits until the link is up with all its scopes. */
export const connected = statusWhere((status) => status.gateway === "ok" && status.reason === undefined)

const ChatPayload = Schema.Struct({
  sessionKey: Schema.String,
  runId: Schema.String,
  state: Schema.String,
  message: Schema.optional(
    Schema.Struct({
      content: Schema.Union([
        Schema.String,
        Schema.Array(Schema.Struct({ type: Schema.String, text: Schema.optional(Schema.String) }))
      ])
    })
  )
})
const decodeChat = Schema.decodeUnknownOption(ChatPayload)

/** The states of one run's `chat` events up to its end, with the last text. */
export const readRun = Effect.fnUntraced(function* (events: PubSub.Subscription<GatewayEvent>, runId: string) {
  const states: Array<string> = []
  let text = ""
  for (;;) {
    const { event, payload } = yield* PubSub.take(events)
    const chat = decodeChat(payload)
    if (event !== "chat" || chat._tag === "None" || chat.value.runId !== runId) continue
    const { state, message } = chat.value
    states.push(state)
    const content = message?.content ?? []
    text = typeof content === "string" ? content : content.map((part) => part.text ?? "").join("") || text
    if (state === "final" || state === "error" || state === "aborted") return { states, text }
  }
})
