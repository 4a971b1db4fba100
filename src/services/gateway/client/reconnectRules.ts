import type { GatewayError } from "./GatewayError.ts"
import { linkEnded, type Refusal } from "./gatewayFailures.ts"

/** How the next `connect` is signed; `none` omits the device, which gets a connection without scopes. */
export type Signing = "v3" | "v2" | "none"

/** What the next attempt needs to know about earlier ones. */
export interface Attempt {
  /** Layout of the device's signature. */
  readonly signature: Exclude<Signing, "none">
  /** Consecutive attempts without a lasting connection. */
  readonly failures: number
  /** Why the device is omitted; `undefined` if it isn't. */
  readonly deviceRefused: GatewayError | undefined
}

/** How an attempt is signed. */
export const signingOf = ({ deviceRefused, signature }: Attempt): Signing =>
  deviceRefused === undefined ? signature : "none"

/** How an attempt, or the connection it made, ended. */
export type Outcome =
  | { readonly _tag: "Failed"; readonly error: GatewayError }
  | { readonly _tag: "Refused"; readonly refusal: Refusal }
  | { readonly _tag: "Ended"; readonly end: number | "silent" | "retry-device"; readonly livedMs: number }

/** A failed attempt. */
export type AttemptFailure = Exclude<Outcome, { readonly _tag: "Ended" }>

/** What comes next. With `down`, calls fail at once until then, for that reason. */
export interface Next {
  readonly attempt: Attempt
  /** Milliseconds to wait first. */
  readonly delayMs: number
  readonly down: GatewayError | undefined
}

export const FIRST_ATTEMPT: Attempt = { signature: "v3", failures: 0, deviceRefused: undefined }

/** A connection without scopes is closed after this time, to check whether the device has been accepted. */
export const DEVICE_RETRY_MS = 30_000
/**
 * How often to ask about a device that's waiting for approval. No known gateway counts that as a failed attempt, but it
 * stays below the limit of ten a minute anyway.
 */
export const APPROVAL_POLL_MS = 8_000

const BASE_MS = 1000
const CAP_MS = 30_000
/** Up to this share is added at random, so that consoles don't all reconnect at once. */
const JITTER = 0.25
/** Nothing will change by itself; well below the gateway's limit of ten failed attempts a minute. */
const DENIED_MS = 60_000
const LASTING_MS = 10_000
const SHORTEST_START_WAIT_MS = 100

/** Milliseconds to wait after `failures` failures in a row: 1 s, doubled up to 30 s. `random` is in [0, 1). */
export const backoffMs = (failures: number, random: number): number => {
  const base = Math.min(BASE_MS * 2 ** Math.min(failures, 16), CAP_MS / (1 + JITTER))
  return Math.round(base * (1 + JITTER * random))
}

/** Decides what follows an outcome. */
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
    // Here each round takes two attempts, with and without the device.
    delayMs: down.requestId === undefined ? DENIED_MS : 2 * APPROVAL_POLL_MS,
    down
  })
  switch (refusal.kind) {
    case "retry":
      return {
        attempt,
        delayMs: Math.round(
          Math.min(Math.max(refusal.retryAfterMs, SHORTEST_START_WAIT_MS), CAP_MS / (1 + JITTER)) *
            (1 + JITTER * random)
        ),
        down: undefined
      }
    case "unapproved":
    case "signature":
    case "device":
      if (attempt.deviceRefused !== undefined) return waitForPerson(attempt.deviceRefused)
      if (refusal.kind === "signature" && attempt.signature === "v3") {
        return { attempt: { ...attempt, signature: "v2" }, delayMs: 0, down: undefined }
      }
      return { attempt: { ...attempt, deviceRefused: refusal.error }, delayMs: 0, down: undefined }
    case "denied":
      return waitForPerson(refusal.error)
  }
}
