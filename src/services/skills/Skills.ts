import { Cache, Context, Duration, Effect, Layer } from "effect"
import { GatewayCalls } from "../gateway/GatewayCalls.ts"
import { GatewayCli } from "../gateway/GatewayCli.ts"
import { GatewayClient } from "../gateway/GatewayClient.ts"
import type { GatewayError } from "../gateway/GatewayError.ts"
import { type Skill, SkillStatus, skillOf } from "./skillSchemas.ts"

/** The skills of the agent, as the gateway knows them (SPEC "Skills"). */
export class Skills extends Context.Service<
  Skills,
  {
    /** Asked for once however many wait; nothing is kept. */
    readonly list: Effect.Effect<ReadonlyArray<Skill>, GatewayError>
  }
>()("agent-console/services/skills/Skills") {
  static readonly layer = Layer.effect(
    Skills,
    Effect.gen(function* () {
      const gateway = yield* GatewayClient
      const calls = yield* GatewayCalls
      const cli = yield* GatewayCli

      const listed = calls
        .orElse(gateway.request("skills.status", {}, SkillStatus), cli.json(["skills", "list", "--json"], SkillStatus))
        .pipe(Effect.map(({ skills }) => skills.map(skillOf)))

      const flight = yield* Cache.makeWith((_: "skills") => listed, {
        capacity: 1,
        timeToLive: () => Duration.zero
      })
      return Skills.of({ list: Cache.get(flight, "skills") })
    })
  )
}
