import { Context, Effect } from "effect"

interface UsageWindowsShape {
  /**
   * Until when the coding agent that a model belongs to has used up its limit, in epoch milliseconds; `undefined` when
   * it hasn't, or nobody knows.
   */
  readonly usedUp: (start: {
    readonly gatewayId: string
    readonly model: string | undefined
  }) => Effect.Effect<number | undefined>
}

/** What is left of the coding agents' own limits; without a layer, nothing is known of them. */
export const UsageWindows = Context.Reference<UsageWindowsShape>("agent-console/services/holds/UsageWindows", {
  defaultValue: () => ({ usedUp: () => Effect.undefined })
})
