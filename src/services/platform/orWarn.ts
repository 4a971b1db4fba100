import { Effect } from "effect"

/**
 * Ignores an expected failure and logs it as one sentence: what couldn't be done, and why. `Effect.ignore` logs the stack
 * too, which says nothing about a gateway that went away.
 */
export const orWarn =
  (what: string) =>
  <A, E extends { readonly message: string }, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<void, never, R> =>
    Effect.matchEffect(effect, {
      onFailure: ({ message }) => Effect.logWarning(`${what}: ${message}`),
      onSuccess: () => Effect.void
    })
