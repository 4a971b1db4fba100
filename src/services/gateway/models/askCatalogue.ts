import { Effect } from "effect"
import type { GatewayClientShape } from "../client/GatewayClientShape.ts"
import { Catalogue, ConfigAnswer } from "./modelSchemas.ts"

/** What the gateway lists, and what its configuration names. */
export const askCatalogue = (gateway: GatewayClientShape, view: { readonly view?: "all" } = {}) =>
  Effect.all([gateway.request("models.list", view, Catalogue), gateway.request("config.get", {}, ConfigAnswer)], {
    concurrency: "unbounded"
  }).pipe(Effect.map(([{ models }, { config }]) => ({ models, config })))
