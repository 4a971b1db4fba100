import { Clock, Effect } from "effect"
import type { HeaderRecord } from "../../node/ReadyAnswer.ts"
import { type RatePreset, ratePresets } from "../../services/access/ratelimit/presets.ts"
import { RateLimiter } from "../../services/access/ratelimit/RateLimiter.ts"
import type { WindowVerdict } from "../../services/access/ratelimit/slidingWindow.ts"
import { errorResponse } from "../apiResponse.ts"
import type { Middleware } from "./Middleware.ts"

const UNLIMITED_PATHS = new Set(["/api/version", "/api/auth/status", "/api/auth/logout"])
const SPECIAL: Readonly<Record<string, RatePreset>> = {
  "POST /api/tts": ratePresets.tts,
  "POST /api/transcribe": ratePresets.transcribe,
  "GET /api/files/find": ratePresets.writing,
  "GET /api/drafts": ratePresets.writing,
  "PUT /api/drafts": ratePresets.writing,
  "GET /api/outbox": ratePresets.writing,
  "POST /api/outbox": ratePresets.writing
}

/** A request's limit, or undefined for a route without one. */
export const presetOf = (method: string, path: string): RatePreset | undefined => {
  if (UNLIMITED_PATHS.has(path) || (path === "/api/agentlog" && (method === "GET" || method === "HEAD"))) {
    return undefined
  }
  return SPECIAL[`${method} ${path}`] ?? ratePresets.general
}

/** The X-RateLimit headers for a verdict; the reset is in epoch seconds. */
export const rateHeaders = (preset: RatePreset, verdict: WindowVerdict): HeaderRecord => ({
  "x-ratelimit-limit": String(preset.limit),
  "x-ratelimit-remaining": String(verdict.remaining),
  "x-ratelimit-reset": String(Math.ceil(verdict.resetAt / 1000))
})

/** 429 with the seconds to wait. */
export const tooManyRequests = (preset: RatePreset, verdict: WindowVerdict) =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const seconds = Math.max(1, Math.ceil((verdict.resetAt - now) / 1000))
    return errorResponse(429, "rate_limited", `too many requests; try again in ${seconds} s`, {
      ...rateHeaders(preset, verdict),
      "retry-after": String(seconds)
    })
  })

/** Limits API requests by client address and path. */
export const rateLimit = Effect.gen(function* () {
  const limiter = yield* RateLimiter
  const middleware: Middleware = (next) => (exchange) => {
    const preset = exchange.isApi ? presetOf(exchange.request.method, exchange.path) : undefined
    if (preset === undefined) return next(exchange)
    return Effect.flatMap(limiter.take(`${exchange.client} ${exchange.path}`, preset), (verdict) => {
      if (!verdict.allowed) return tooManyRequests(preset, verdict)
      exchange.headers.push(rateHeaders(preset, verdict))
      return next(exchange)
    })
  }
  return middleware
})
