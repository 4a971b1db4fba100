import { Effect } from "effect"
import { Skills } from "../../../services/gateway/skills/Skills.ts"
import { routeHandlers } from "../../routeHandlers.ts"
import { gatewayService } from "../gateways/unknownGateway.ts"

export const SkillsHandlers = routeHandlers(
  "skills",
  Effect.fn(function* (handlers) {
    const serviceOf = yield* gatewayService
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { list } = yield* serviceOf(Skills, query)
        return { ok: true as const, skills: yield* list }
      })
    })
  })
)
