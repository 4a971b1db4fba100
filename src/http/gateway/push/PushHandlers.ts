import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { PushDevices } from "../../../services/push/PushDevices.ts"
import { PushSender } from "../../../services/push/PushSender.ts"
import { SeenItems } from "../../../services/push/SeenItems.ts"
import { VapidIdentity } from "../../../services/push/VapidIdentity.ts"
import { routeHandlers } from "../../routeHandlers.ts"

const done = { ok: true as const }

export const PushHandlers = routeHandlers(
  "push",
  Effect.fn(function* (handlers) {
    const devices = yield* PushDevices
    const sender = yield* PushSender
    const seen = yield* SeenItems
    const vapid = yield* VapidIdentity
    return handlers.handleAll({
      overview: () =>
        Effect.all({
          publicKey: Effect.map(vapid.key, ({ publicKey }) => publicKey),
          subscriptions: Effect.map(devices.list, (list) => list.map(({ device }) => device)),
          ...(devices.off === undefined
            ? {}
            : {
                off: Effect.succeed(devices.off.message),
                ...(devices.off.why === undefined ? {} : { why: Effect.succeed(devices.off.why) })
              })
        }),
      subscribe: ({ payload }) =>
        Effect.map(devices.subscribe(payload), ({ device, isNew }) =>
          isNew ? device : HttpServerResponse.jsonUnsafe(device)
        ),
      change: ({ params, payload }) => devices.change(params.id, payload),
      remove: ({ params }) => Effect.as(devices.remove(params.id), done),
      test: ({ params }) => Effect.as(sender.test(params.id), done),
      seen: ({ payload }) => Effect.as(seen.mark(payload.ids), done)
    })
  })
)
