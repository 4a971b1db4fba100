import { Effect } from "effect"
import { requestCount, requestDuration } from "../platform/metrics/metrics.ts"
import type { Report } from "./Middleware.ts"

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/**
 * Counts and times requests to the API and `/health`, except files and the version, which the early listener answers.
 */
export const requestMetrics: Effect.Effect<Report> = Effect.map(Effect.context<never>(), (context) => {
  const counters = new Map<string, Array<ReturnType<typeof requestCount> | undefined>>()
  const counterOf = (method: string, status: number) => {
    const known = METHODS.has(method) ? method : "other"
    const ofMethod = counters.get(known) ?? []
    counters.set(known, ofMethod)
    const hundreds = Math.trunc(status / 100)
    const counter = ofMethod[hundreds] ?? requestCount(known, `${hundreds}xx`)
    ofMethod[hundreds] = counter
    return counter
  }
  return ({ method, path, isApi, startedAt }, status) => {
    if (!isApi && path !== "/health") return
    counterOf(method, status).updateUnsafe(1, context)
    requestDuration.updateUnsafe((performance.now() - startedAt) / 1000, context)
  }
})
