import { Flag } from "effect/cli"

/** A flag that is off unless it's given. */
export const off = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false), Flag.withoutNegation)
