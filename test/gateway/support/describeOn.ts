import { describe } from "@effect/vitest"
import type {} from "./globalSetup.ts"

/**
 * `describe` for the tests of a gateway. Those of one that isn't there are skipped, and so are those of what its generation
 * lacks; the reason is in their names.
 */
export const describeOn = (gateway: { readonly missing?: string }, lacks?: string) => {
  const reason = gateway.missing ?? lacks
  return (title: string, tests: () => void): void => {
    if (reason === undefined) describe(title, tests)
    else describe.skip(`${title} (skipped: ${reason})`, tests)
  }
}
