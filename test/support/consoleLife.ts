import { Context, Effect, Layer, Logger, Redacted, Schedule, Schema } from "effect"
import { type PracticeGatewayOptions, practiceGateway } from "../../practice-gateway/older/practiceGateway.ts"
import { EmbeddedGateway } from "../../practice-gateway/src/EmbeddedGateway.ts"
import { GatewayClient } from "../../src/services/gateway/client/GatewayClient.ts"
import { generateDeviceKey } from "../../src/services/gateway/device/deviceKey.ts"
import { temporaryFolder } from "./fileServices.ts"
import { makeJsonApp } from "./gatewayApp.ts"
import { clientLayer, connected } from "./liveClient.ts"

const Silent = Logger.layer([])

/** Repeats a request until its response matches. */
export const eventually = <A, E, R>(ask: Effect.Effect<A, E, R>, isIt: (answer: A) => boolean) =>
  ask.pipe(Effect.repeat({ schedule: Schedule.spaced("20 millis"), until: isIt }))

/**
 * A practice gateway with another client, and a console that can be restarted in the same folder, as
 * whole apps in memory over real sockets.
 */
export const makeConsoleLife = Effect.fnUntraced(function* (options: PracticeGatewayOptions) {
  const svcHome = yield* temporaryFolder
  const gateway = yield* Effect.provide(
    EmbeddedGateway,
    yield* Layer.build(practiceGateway({ tokenMs: 0, ...options }))
  )
  const link = { url: gateway.url, token: Redacted.value(gateway.token) }
  const other = yield* Layer.build(clientLayer(link).pipe(Layer.provide(Silent)))
  yield* Effect.provide(connected, other)
  const client = Context.get(other, GatewayClient)
  const key = generateDeviceKey()
  let sent = 0

  /** One start of the console, until the scope closes. */
  const start = Effect.gen(function* () {
    const own = yield* Layer.build(clientLayer(link, key).pipe(Layer.provide(Silent)))
    yield* Effect.provide(connected, own)
    const app = yield* makeJsonApp({
      settings: { svcHome, gatewayUrl: gateway.url, gatewayToken: gateway.token },
      gateway: Layer.succeedContext(own)
    })
    const proposals = app.sqlite.read((db) => db.all("SELECT id FROM proposals"))
    const inbox = (query = "") => Effect.map(app.send("GET", `/api/inbox${query}`), ({ body }) => body)
    return { ...app, proposals, inbox, client: Context.get(own, GatewayClient) }
  })

  /** Sends the agent a message from another client. */
  const say = (message: string, sessionKey = "agent:main:other") =>
    Effect.suspend(() => {
      sent += 1
      return client.request("chat.send", { sessionKey, message, idempotencyKey: `say-${sent}` }, Schema.Unknown)
    })
  /** The same, until the agent is done. */
  const sayAndWait = (message: string, sessionKey?: string) =>
    Effect.andThen(
      say(message, sessionKey),
      Effect.suspend(() =>
        eventually(
          client.request(
            "agent.wait",
            { runId: `say-${sent}`, timeoutMs: 1000 },
            Schema.Struct({ status: Schema.String })
          ),
          ({ status }) => status !== "timeout"
        )
      )
    )

  return { start, say, sayAndWait, client, gateway, control: gateway.control, svcHome }
})
