import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Skills } from "../../services/skills/Skills.ts"
import { Api } from "../Api.ts"

export const SkillsHandlers = HttpApiBuilder.group(
  Api,
  "skills",
  Effect.fn(function* (handlers) {
    const { list } = yield* Skills
    return handlers.handleAll({ list: () => Effect.map(list, (skills) => ({ ok: true as const, skills })) })
  })
)
