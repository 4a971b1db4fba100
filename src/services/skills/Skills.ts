import { Context, Effect, Layer } from "effect"
import { GatewayClient } from "../gateway/GatewayClient.ts"
import type { GatewayError } from "../gateway/GatewayError.ts"
import { type Skill, SkillStatus, skillOf } from "./skillSchemas.ts"

/** The skills of the agent, as the gateway knows them (SPEC "Skills"). */
export class Skills extends Context.Service<
  Skills,
  { readonly list: Effect.Effect<ReadonlyArray<Skill>, GatewayError> }
>()("agent-console/services/skills/Skills") {
  static readonly layer = Layer.effect(
    Skills,
    Effect.gen(function* () {
      const gateway = yield* GatewayClient
      return Skills.of({
        list: gateway.request("skills.status", {}, SkillStatus).pipe(Effect.map(({ skills }) => skills.map(skillOf)))
      })
    })
  )
}
