import { Effect } from "effect"
import { Skills } from "../../../services/gateway/skills/Skills.ts"
import { routeHandlers } from "../../routeHandlers.ts"

export const SkillsHandlers = routeHandlers(
  "skills",
  Effect.fn(function* (handlers) {
    const { list } = yield* Skills
    return handlers.handleAll({ list: () => Effect.map(list, (skills) => ({ ok: true as const, skills })) })
  })
)
