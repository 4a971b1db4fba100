import { Cache, Context, Duration, Effect, Layer } from "effect"
import type { Skill } from "../../../contract/schema/gateway.ts"
import { GatewayCalls } from "../client/GatewayCalls.ts"
import { GatewayCli } from "../client/GatewayCli.ts"
import { GatewayClient } from "../client/GatewayClient.ts"
import type { GatewayError } from "../client/GatewayError.ts"
import { SkillStatus, skillOf } from "./skillSchemas.ts"

/** The agent's skills on the gateway. */
export class Skills extends Context.Service<
  Skills,
  {
    /** One request however many are waiting; nothing is cached. */
    readonly list: Effect.Effect<ReadonlyArray<Skill>, GatewayError>
  }
>()("agent-console/services/gateway/skills/Skills") {
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
