import type { HeaderRecord } from "../../node/answerHead.ts"

/** API responses are never cached unless their route says otherwise. */
export const API_CACHING: HeaderRecord = { "cache-control": "no-cache, no-store" }
