import { NodeHttpServerRequest } from "@effect/platform-node"
import { Clock, Effect, Layer, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { ConsoleResponse } from "../../../node/ConsoleResponse.ts"
import { Auth } from "../../../services/access/auth/Auth.ts"
import { Settings } from "../../../services/platform/settings/Settings.ts"
import { authenticationRequired } from "../../middleware/authentication.ts"
import { endStream, endWithSession } from "../../middleware/ownedBySession.ts"
import { needing } from "../../Right.ts"
import { EventHub } from "./EventHub.ts"

const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  connection: "keep-alive",
  "x-accel-buffering": "no"
} as const

const TestEvent = Schema.Struct({
  event: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(100)),
  data: Schema.Record(Schema.String, Schema.Unknown)
})
const decodeTestEvent = HttpServerRequest.schemaBodyJson(TestEvent)

/** The event stream, and the route that sends a test event, in development only. */
export const EventRoutes = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const hub = yield* EventHub
    const settings = yield* Settings
    const auth = yield* Auth

    const open = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const response = NodeHttpServerRequest.toServerResponse(request)
      const owner = auth.sessionOf(request.headers.cookie, yield* Clock.currentTimeMillis)
      if (auth.enabled && owner === undefined) return authenticationRequired()
      if (request.method === "GET" && response instanceof ConsoleResponse) {
        yield* hub.open(response)
        if (owner !== undefined) endWithSession(auth, owner, response, () => endStream(response))
      }
      return HttpServerResponse.empty({ status: 200, headers: HEADERS })
    })

    yield* router.add("GET", "/api/events", open).pipe(needing("read"))
    if (!settings.development) return
    yield* router.add(
      "POST",
      "/api/events/test",
      Effect.gen(function* () {
        const { event, data } = yield* decodeTestEvent
        yield* hub.send({ event, data, ts: yield* Clock.currentTimeMillis })
        return HttpServerResponse.jsonUnsafe({ ok: true, event, data })
      }).pipe(
        Effect.catchTag("SchemaError", (cause) =>
          Effect.die(new HttpApiError.HttpApiSchemaError({ kind: "Payload", cause }))
        )
      )
    )
  })
)
