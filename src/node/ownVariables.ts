import { Effect } from "effect"

/** The variables this process was started with. Only `childVariables` chooses among them, for the programs it starts. */
export const ownVariables: Effect.Effect<Readonly<Record<string, string | undefined>>> = Effect.sync(() => process.env)
