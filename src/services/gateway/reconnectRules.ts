import type { GatewayError } from "./GatewayError.ts"
import { linkEnded, type Refusal } from "./gatewayFailures.ts"

/** How the next `connect` is signed; `none` leaves the device out and gets a link without scopes (D32). */
export type Signing = "v3" | "v2" | "none"

/** What the next attempt has to know of those before it. */
export interface Attempt {
  readonly signing: Signing
  /** Attempts in a row that did not lead to a lasting link. */
  readonly failures: number
  /** Why the device is left out; only with `none`. */
  readonly deviceRefused: GatewayError | undefined
}

/** How one attempt, or the link it led to, ended. */
export type Outcome =
  | { readonly _tag: "Failed"; readonly error: GatewayError }
  | { readonly _tag: "Refused"; readonly refusal: Refusal }
  | { readonly _tag: "Ended"; readonly end: number | "silent" | "retry-device"; readonly livedMs: number }

/** What comes next. `down` says that calls fail at once until then, and why. */
export interface Next {
  readonly attempt: Attempt
  /** Milliseconds to wait first. */
  readonly delayMs: number
  readonly down: GatewayError | undefined
}

export const FIRST_ATTEMPT: Attempt = { signing: "v3", failures: 0, deviceRefused: undefined }

/** A link without scopes is given up after this time to see whether the device has been approved meanwhile. */
export const DEVICE_RETRY_MS = 30_000

const BASE_MS = 1000
const CAP_MS = 30_000
/** Up to this share is added at random, so that consoles do not all come back at once. */
const JITTER = 0.25
/** Nothing changes by itself: well under the gateway's limit of ten failed attempts a minute. */
const DENIED_MS = 60_000
const LASTING_MS = 10_000
const SHORTEST_START_WAIT_MS = 100

/** Milliseconds to wait after `failures` failures in a row: 1 s, doubled up to 30 s (D34). `random` is in [0, 1). */
export const backoffMs = (failures: number, random: number): number => {
  const base = Math.min(BASE_MS * 2 ** Math.min(failures, 16), CAP_MS / (1 + JITTER))
  return Math.round(base * (1 + JITTER * random))
}

/** Decides what follows an outcome (D32, D34). */
export const nextAttempt = (attempt: Attempt, outcome: Outcome, random: number): Next => {
  const fresh = (failures: number): Attempt => ({ ...FIRST_ATTEMPT, failures })
  const backOff = (failures: number, down: GatewayError): Next => ({
    attempt: fresh(failures + 1),
    delayMs: backoffMs(failures, random),
    down
  })
  switch (outcome._tag) {
    case "Failed":
      return backOff(attempt.failures, outcome.error)
    case "Ended":
      if (outcome.end === "retry-device") return { attempt: fresh(0), delayMs: 0, down: undefined }
      return backOff(outcome.livedMs >= LASTING_MS ? 0 : attempt.failures, linkEnded(outcome.end))
    case "Refused":
      return afterRefusal(attempt, outcome.refusal, random)
  }
}

const afterRefusal = (attempt: Attempt, refusal: Refusal, random: number): Next => {
  const waitForPerson = (down: GatewayError): Next => ({
    attempt: { ...FIRST_ATTEMPT, failures: attempt.failures + 1 },
    delayMs: DENIED_MS,
    down
  })
  switch (refusal.kind) {
    case "starting":
      return {
        attempt,
        delayMs: Math.round(
          Math.min(Math.max(refusal.retryAfterMs, SHORTEST_START_WAIT_MS), CAP_MS / (1 + JITTER)) *
            (1 + JITTER * random)
        ),
        down: undefined
      }
    case "signature":
    case "device": {
      if (attempt.signing === "none") return waitForPerson(attempt.deviceRefused ?? refusal.error)
      if (refusal.kind === "signature" && attempt.signing === "v3") {
        return { attempt: { ...attempt, signing: "v2" }, delayMs: 0, down: undefined }
      }
      return { attempt: { ...attempt, signing: "none", deviceRefused: refusal.error }, delayMs: 0, down: undefined }
    }
    case "denied":
      return waitForPerson(refusal.error)
  }
}
