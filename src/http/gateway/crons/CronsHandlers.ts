import { Effect } from "effect"
import { Crons } from "../../../services/gateway/crons/Crons.ts"
import { routeHandlers } from "../../routeHandlers.ts"
import { gatewayService } from "../gateways/unknownGateway.ts"

const ok = true as const

export const CronsHandlers = routeHandlers(
  "crons",
  Effect.fn(function* (handlers) {
    const serviceOf = yield* gatewayService
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const crons = yield* serviceOf(Crons, query)
        return { ok, result: { jobs: yield* crons.list } }
      }),
      create: Effect.fnUntraced(function* ({ payload, query }) {
        const crons = yield* serviceOf(Crons, query)
        return { ...(yield* crons.create(payload.job)), ok }
      }),
      patch: Effect.fnUntraced(function* ({ params, payload, query }) {
        const crons = yield* serviceOf(Crons, query)
        return { ...(yield* crons.patch(params.id, payload.patch)), ok }
      }),
      remove: Effect.fnUntraced(function* ({ params, query }) {
        const crons = yield* serviceOf(Crons, query)
        yield* crons.remove(params.id)
        return { ok, id: params.id }
      }),
      toggle: Effect.fnUntraced(function* ({ params, payload, query }) {
        const crons = yield* serviceOf(Crons, query)
        return { ...(yield* crons.setEnabled(params.id, payload.enabled)), ok }
      }),
      run: Effect.fnUntraced(function* ({ params, query }) {
        const crons = yield* serviceOf(Crons, query)
        return { ...(yield* crons.run(params.id)), ok }
      }),
      runs: Effect.fnUntraced(function* ({ params, query }) {
        const crons = yield* serviceOf(Crons, query)
        return { ok, result: { entries: yield* crons.runs(params.id) } }
      })
    })
  })
)
