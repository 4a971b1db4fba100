import type { HeaderRecord } from "../headers.ts"

/** API answers are never cached unless their route says otherwise. */
export const API_CACHING: HeaderRecord = { "cache-control": "no-cache, no-store" }
