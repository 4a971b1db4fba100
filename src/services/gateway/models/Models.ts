import { Cache, Context, Duration, Effect, Exit, Layer } from "effect"
import type { Model } from "../../../contract/schema/session.ts"
import { GatewayCalls } from "../client/GatewayCalls.ts"
import { GatewayCli } from "../client/GatewayCli.ts"
import { GatewayClient, type GatewayClientShape } from "../client/GatewayClient.ts"
import type { GatewayError } from "../client/GatewayError.ts"
import { Catalogue, CliCatalogue, ConfigAnswer, cliModels, hasModel, isUsable, offeredModels } from "./modelRules.ts"

/** What the gateway lists, and what its configuration names. */
export const askCatalogue = (gateway: GatewayClientShape, view: { readonly view?: "all" } = {}) =>
  Effect.all([gateway.request("models.list", view, Catalogue), gateway.request("config.get", {}, ConfigAnswer)], {
    concurrency: "unbounded"
  }).pipe(Effect.map(([{ models }, { config }]) => ({ models, config })))

/** Building the catalogue takes the gateway a second, and it rarely changes. */
const KEPT_FOR = Duration.minutes(5)

/** The gateway's models. */
export class Models extends Context.Service<
  Models,
  {
    /**
     * Models to choose from. Cached for 5 minutes, with one request however many are waiting; failures aren't cached.
     */
    readonly list: Effect.Effect<ReadonlyArray<Model>, GatewayError>
    /** Whether the gateway currently has a model of that name, offered or not. */
    readonly has: (name: string) => Effect.Effect<boolean, GatewayError>
  }
>()("agent-console/services/gateway/models/Models") {
  static readonly layer = Layer.effect(
    Models,
    Effect.gen(function* () {
      const gateway = yield* GatewayClient
      const calls = yield* GatewayCalls
      const cli = yield* GatewayCli

      const overSocket = Effect.map(askCatalogue(gateway), ({ models, config }) => offeredModels(models, config))

      /** Newer gateways list configured models, or everything on request; older ones always list everything. */
      const has = Effect.fn("Models.has")(function* (name: string) {
        const found = (view?: { readonly view: "all" }) =>
          Effect.map(askCatalogue(gateway, view), ({ models, config }) => hasModel(name, models, config))
        if (yield* found()) return true
        return yield* Effect.catchIf(
          found({ view: "all" }),
          ({ reason }) => reason === "invalid",
          () => Effect.succeed(false)
        )
      })

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
      return Models.of({ list: Cache.get(cache, "models"), has })
    })
  )
}
