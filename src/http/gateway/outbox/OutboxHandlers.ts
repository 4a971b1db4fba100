import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { PRIMARY } from "../../../contract/qualifiedKey.ts"
import { Outbox } from "../../../services/outbox/Outbox.ts"
import { mediaHeaders } from "../../knowledge/media/mediaHeaders.ts"
import { routeHandlers } from "../../routeHandlers.ts"

const OK = { ok: true } as const

export const OutboxHandlers = routeHandlers(
  "outbox",
  Effect.fn(function* (handlers) {
    const outbox = yield* Outbox
    return handlers.handleAll({
      list: ({ query: { gateway = PRIMARY, sessionKey } }) =>
        Effect.map(outbox.list(sessionKey === undefined ? undefined : { gatewayId: gateway, sessionKey }), (items) => ({
          items
        })),
      add: ({ payload }) => outbox.add(payload),
      change: ({ params, payload }) => outbox.change(params.id, payload),
      attachment: ({ params, request }) =>
        Effect.map(outbox.attachment(params.id, Number(params.index)), ({ content, name, type }) =>
          HttpServerResponse.uint8Array(content, {
            contentType: type,
            headers: mediaHeaders(type, request.headers["sec-fetch-dest"], name)
          })
        ),
      remove: ({ params }) => Effect.as(outbox.remove(params.id), OK),
      resolve: ({ params, payload }) => Effect.as(outbox.resolve(params.id, payload), OK)
    })
  })
)
