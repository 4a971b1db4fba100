import { say } from "../language/say.ts"

/** Gateways that only count a session's last run speak this protocol, or a later one. */
const COUNTS_LAST_RUN = 4

/**
 * What a session's cost is, by the protocol that its gateway speaks. Newer gateways only give that of its last run, so
 * it can go down; older ones add up all of them.
 */
export const costLabel = (protocol: number | undefined): string => {
  const isLast = protocol !== undefined && protocol >= COUNTS_LAST_RUN
  return isLast ? say("Cost of the last response (gateway's estimate)") : say("Cost so far (gateway's estimate)")
}
