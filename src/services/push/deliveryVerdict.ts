import { DateTime, Option } from "effect"
import type { Failure } from "../../contract/failure.ts"
import { failure } from "../../contract/failures.ts"

/** The result of one attempt. */
export type Verdict =
  | { readonly type: "sent" }
  /** The device no longer accepts notifications. */
  | { readonly type: "gone" }
  | {
      readonly type: "again"
      readonly afterMs: number
      readonly failure: Failure
      /** Whether the message may still have arrived. */
      readonly isUnclear: boolean
    }
  | {
      readonly type: "failed"
      readonly failure: Failure
      /** The service refused the message and will refuse the next one. */
      readonly isRefusal?: boolean
    }

/** The reason for a missing response. */
export type Silence = "unreachable" | "timeout" | "private"

/** After this many refusals in a row, a device gets nothing until it subscribes again. */
export const MOST_REFUSALS = 3

/** The explanation for such a device. */
export const BROKEN = failure("PUSH_DEVICE_DROPPED")

/** The explanation for a device that subscribed with another key than the console's current one. */
export const NEW_KEY = failure("PUSH_KEY_CHANGED")

/** The maximum number of attempts. */
export const MAX_ATTEMPTS = 5

const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 10 * 60_000

/** Parses a Retry-After header, seconds or a date (RFC 9110 §10.2.3), into milliseconds. */
const askedPause = (header: string | undefined, now: number): number => {
  const text = header?.trim() ?? ""
  if (/^\d+$/.test(text)) return Number(text) * 1_000
  return Option.match(/^[A-Z]/i.test(text) ? DateTime.make(text) : Option.none(), {
    onNone: () => 0,
    onSome: (time) => DateTime.toEpochMillis(time) - now
  })
}

/** Returns the pause before the next attempt: growing, at least the requested time, and bounded. */
export const pauseMs = (attempt: number, retryAfter: string | undefined, now: number): number => {
  const asked = askedPause(retryAfter, now)
  return Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS * 4 ** (attempt - 1), asked))
}

/** Judges a response; `attempt` counts from 1. `service` names who responded, a host or `PUSH_SERVICE`. */
export const judgeResponse = (
  response: { readonly status: number; readonly retryAfter?: string | undefined },
  { attempt, now, service }: { readonly attempt: number; readonly now: number; readonly service: string }
): Verdict => {
  const { status, retryAfter } = response
  const afterMs = pauseMs(attempt, retryAfter, now)
  if (status >= 200 && status < 300) return { type: "sent" }
  if (status === 404 || status === 410) return { type: "gone" }
  if (status === 429) {
    return { type: "again", afterMs, failure: failure("PUSH_RATE_LIMITED", { service }), isUnclear: false }
  }
  if (status >= 500) {
    return { type: "again", afterMs, failure: failure("PUSH_SERVICE_FAILED", { service, status }), isUnclear: true }
  }
  if (status >= 300 && status < 400) {
    return { type: "failed", failure: failure("PUSH_REDIRECTED", { service, status }), isRefusal: true }
  }
  if (status === 413) return { type: "failed", failure: failure("PUSH_TOO_LARGE", { service }) }
  if (status === 401 || status === 403) {
    return { type: "failed", failure: failure("PUSH_KEY_REFUSED", { service, status }), isRefusal: true }
  }
  return { type: "failed", failure: failure("PUSH_REJECTED", { service, status }), isRefusal: true }
}

/** Judges an attempt without a response, which may have arrived. */
export const judgeSilence = (
  silence: Silence,
  { attempt, now, host }: { readonly attempt: number; readonly now: number; readonly host: string }
): Verdict => {
  const afterMs = pauseMs(attempt, undefined, now)
  switch (silence) {
    case "private":
      return {
        type: "failed",
        failure: failure("PUSH_PRIVATE_ADDRESS", { host })
      }
    case "timeout":
      return {
        type: "again",
        afterMs,
        failure: failure("PUSH_TIMED_OUT", { host }),
        isUnclear: true
      }
    case "unreachable":
      return {
        type: "again",
        afterMs,
        failure: failure("PUSH_UNREACHABLE", { host }),
        isUnclear: true
      }
  }
}
