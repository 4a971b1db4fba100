/** Two calculations of when a gateway started differ by how long its greeting took. */
const SAME_START_MS = 2_000

/** Whether two calculations of a gateway's start mean the same process; false where one isn't known. */
export const isSameStart = (one: number | undefined, other: number | undefined): boolean =>
  one !== undefined && other !== undefined && Math.abs(one - other) <= SAME_START_MS

/** A start is calculated too late rather than too early, and no run begins before a client could ask for one. */
const RUN_AFTER_MS = 250

/** Whether a moment was surely before a gateway's calculated start, so in a process that has ended. */
export const isBeforeStart = (at: number, gatewayStartedAt: number): boolean => at < gatewayStartedAt - SAME_START_MS

/** The same for when a run began. */
export const beganBeforeStart = (at: number, gatewayStartedAt: number): boolean => at < gatewayStartedAt - RUN_AFTER_MS
