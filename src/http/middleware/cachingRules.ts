import type { HeaderRecord } from "../../node/missingHeaders.ts"

/** API responses are never cached unless their route says otherwise, and no other site's page may embed them. */
export const API_CACHING: HeaderRecord = {
  "cache-control": "no-cache, no-store",
  "cross-origin-resource-policy": "same-origin"
}
