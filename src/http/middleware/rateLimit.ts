import { Effect } from "effect"
import type { HeaderRecord } from "../../node/missingHeaders.ts"
import type { RatePreset, WindowVerdict } from "../../services/access/ratelimit/attemptStore.ts"
import { RateLimiter } from "../../services/access/ratelimit/RateLimiter.ts"
import { errorResponse } from "../apiResponse.ts"
import type { Check } from "./RequestContext.ts"

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

/** Limits requests by client and by the route with its parameters. */
export const rateLimit = Effect.gen(function* () {
  const limiter = yield* RateLimiter
  const check: Check = ({ route: { mark, place }, client, now, extra }) => {
    const preset = mark.rate
    if (preset === undefined) return undefined
    const verdict = limiter.takeAt(now, `${client} ${place}`, preset)
    if (!verdict.allowed) return tooManyRequests(preset, verdict, now)
    extra.push(rateHeaders(preset, verdict))
    return undefined
  }
  return check
})
