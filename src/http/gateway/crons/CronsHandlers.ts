import { Effect } from "effect"
import { Crons } from "../../../services/gateway/crons/Crons.ts"
import { routeHandlers } from "../../routeHandlers.ts"

const ok = true as const

export const CronsHandlers = routeHandlers(
  "crons",
  Effect.fn(function* (handlers) {
    const crons = yield* Crons
    return handlers.handleAll({
      list: () => Effect.map(crons.list, (jobs) => ({ ok, result: { jobs } })),
      create: ({ payload }) => Effect.map(crons.create(payload.job), (job) => ({ ...job, ok })),
      patch: ({ params, payload }) => Effect.map(crons.patch(params.id, payload.patch), (job) => ({ ...job, ok })),
      remove: ({ params }) => Effect.as(crons.remove(params.id), { ok, id: params.id }),
      toggle: ({ params, payload }) =>
        Effect.map(crons.setEnabled(params.id, payload.enabled), (job) => ({ ...job, ok })),
      run: ({ params }) => Effect.map(crons.run(params.id), (run) => ({ ...run, ok })),
      runs: ({ params }) => Effect.map(crons.runs(params.id), (entries) => ({ ok, result: { entries } }))
    })
  })
)
