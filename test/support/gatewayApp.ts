import { Context, Effect, Layer, Logger, Redacted } from "effect"
import { type PracticeGatewayOptions, practiceGateway } from "../../practice-gateway/older/practiceGateway.ts"
import { EmbeddedGateway } from "../../practice-gateway/src/EmbeddedGateway.ts"
import { GatewayClient } from "../../src/services/gateway/client/GatewayClient.ts"
import { clientLayer, connected, statusWhere } from "./liveClient.ts"
import { makeApp, type TestAppOptions } from "./makeApp.ts"

/** The in-memory app with a way to send JSON or any text, and to read the response. */
export const makeJsonApp = Effect.fnUntraced(function* (options: TestAppOptions = {}) {
  const app = yield* makeApp(options)
  const send = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
    const response = yield* app.request(path, {
      method,
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
    })
    const text = yield* Effect.promise(() => response.text())
    return { status: response.status, body: text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : text }
  })
  return { ...app, send }
})

/** The app with an embedded gateway of either generation, connected with all scopes by default. */
export const makeGatewayApp = Effect.fnUntraced(function* (
  options: PracticeGatewayOptions,
  more: TestAppOptions & { readonly waitUntil?: typeof connected } = {}
) {
  const { waitUntil, ...appOptions } = more
  const gateway = yield* Effect.provide(
    EmbeddedGateway,
    yield* Layer.build(practiceGateway({ tokenMs: 0, ...options }))
  )
  const client = yield* Layer.build(
    clientLayer({ url: gateway.url, token: Redacted.value(gateway.token) }).pipe(Layer.provide(Logger.layer([])))
  )
  yield* Effect.provide(waitUntil ?? connected, client)
  const app = yield* makeJsonApp({
    settings: { gatewayUrl: gateway.url, gatewayToken: gateway.token, ...appOptions.settings },
    gateway: Layer.succeedContext(client)
  })
  return {
    ...app,
    client: Context.get(client, GatewayClient),
    control: gateway.control,
    untilStatus: (wanted: Parameters<typeof statusWhere>[0]) => Effect.provide(statusWhere(wanted), client)
  }
})
