import { Cache, Context, Duration, Effect, Exit, Layer } from "effect"
import { GatewayCalls } from "../gateway/GatewayCalls.ts"
import { GatewayCli } from "../gateway/GatewayCli.ts"
import { GatewayClient } from "../gateway/GatewayClient.ts"
import type { GatewayError } from "../gateway/GatewayError.ts"
import { cliModels, isUsable, offeredModels } from "./modelRules.ts"
import { Catalogue, CliCatalogue, ConfigAnswer, type Model } from "./modelSchemas.ts"

/** SPEC "Sizes and counts". */
const KEPT_FOR = Duration.minutes(5)

/** The gateway's models. */
export class Models extends Context.Service<
  Models,
  {
    /** Models to choose from. Kept for 5 minutes, asked for once however many wait; a failure is not kept. */
    readonly list: Effect.Effect<ReadonlyArray<Model>, GatewayError>
  }
>()("agent-console/services/models/Models") {
  static readonly layer = Layer.effect(
    Models,
    Effect.gen(function* () {
      const gateway = yield* GatewayClient
      const calls = yield* GatewayCalls
      const cli = yield* GatewayCli

      const overSocket = Effect.all(
        [gateway.request("models.list", {}, Catalogue), gateway.request("config.get", {}, ConfigAnswer)],
        { concurrency: "unbounded" }
      ).pipe(Effect.map(([{ models }, { config }]) => offeredModels(models, config)))

      const rows = (...more: ReadonlyArray<string>) =>
        Effect.map(cli.json(["models", "list", ...more, "--json"], CliCatalogue), ({ models }) => models)

      /** The tool lists the configured models by itself. */
      const overTool = Effect.gen(function* () {
        const configured = yield* rows()
        return cliModels(configured.length > 0 ? configured : (yield* rows("--all")).filter(isUsable))
      })

      const cache = yield* Cache.makeWith((_: "models") => calls.orElse(overSocket, overTool), {
        capacity: 1,
        timeToLive: (exit) => (Exit.isSuccess(exit) ? KEPT_FOR : Duration.zero)
      })
      return Models.of({ list: Cache.get(cache, "models") })
    })
  )
}
