import { Effect } from "effect"
import type { HeaderRecord } from "../../node/answerHead.ts"
import { type RatePreset, ratePresets } from "../../services/access/ratelimit/presets.ts"
import { RateLimiter } from "../../services/access/ratelimit/RateLimiter.ts"
import type { WindowVerdict } from "../../services/access/ratelimit/slidingWindow.ts"
import { errorResponse } from "../apiResponse.ts"
import type { Check } from "./Middleware.ts"

type Limits = Readonly<Record<string, RatePreset | undefined>>

/** Limits by path and method, of all paths with other ones than the general. */
const SPECIAL: ReadonlyMap<string, Limits> = new Map<string, Limits>([
  ["/api/tts", { POST: ratePresets.tts }],
  ["/api/transcribe", { POST: ratePresets.transcribe }],
  ["/api/files/find", { GET: ratePresets.writing }],
  ["/api/drafts", { GET: ratePresets.writing, PUT: ratePresets.writing }],
  ["/api/sessions/marks", { PATCH: ratePresets.writing }],
  ["/api/outbox", { GET: ratePresets.writing, POST: ratePresets.writing }]
])

const UNLIMITED_PATHS = new Set(["/api/version", "/api/auth/status", "/api/auth/logout"])

/** A request's limit, or undefined for a route without one. */
export const presetOf = (method: string, path: string): RatePreset | undefined => {
  if (UNLIMITED_PATHS.has(path) || (path === "/api/agentlog" && (method === "GET" || method === "HEAD"))) {
    return undefined
  }
  return SPECIAL.get(path)?.[method] ?? ratePresets.general
}

/** The X-RateLimit headers for a verdict; the reset is in epoch seconds. */
export const rateHeaders = (preset: RatePreset, verdict: WindowVerdict): HeaderRecord => ({
  "x-ratelimit-limit": String(preset.limit),
  "x-ratelimit-remaining": String(verdict.remaining),
  "x-ratelimit-reset": String(Math.ceil(verdict.resetAt / 1000))
})

/** 429 with the seconds to wait. */
export const tooManyRequests = (preset: RatePreset, verdict: WindowVerdict, now: number) => {
  const seconds = Math.max(1, Math.ceil((verdict.resetAt - now) / 1000))
  return errorResponse(429, "rate_limited", `too many requests; try again in ${seconds} s`, {
    ...rateHeaders(preset, verdict),
    "retry-after": String(seconds)
  })
}

/** Limits API requests by client address and path. */
export const rateLimit = Effect.gen(function* () {
  const limiter = yield* RateLimiter
  const check: Check = ({ method, path, isApi, client, now, more }) => {
    const preset = isApi ? presetOf(method, path) : undefined
    if (preset === undefined) return undefined
    const verdict = limiter.takeAt(now, `${client} ${path}`, preset)
    if (!verdict.allowed) return tooManyRequests(preset, verdict, now)
    more.push(rateHeaders(preset, verdict))
    return undefined
  }
  return check
})
