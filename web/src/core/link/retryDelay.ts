const BASE_DELAY = 1_000
const MAX_DELAY = 30_000

/** After so many attempts in a row a page waits until it's asked for another one. */
export const MAX_ATTEMPTS = 50

/** Milliseconds before attempt `n` (from 1): 1 s doubling to 30 s, with up to a fifth added so that tabs spread out. */
export const retryDelay = (n: number, random: number): number =>
  Math.min(MAX_DELAY, Math.min(MAX_DELAY, BASE_DELAY * 2 ** (n - 1)) * (1 + random / 5))
