import { errorOf, type Failure } from "../../../contract/failure.ts"
import type { LimitsUnavailable } from "../../../contract/schema/usage.ts"

/** Limits are unknown, and why. */
export const unavailable = (failure: Failure): LimitsUnavailable => ({ available: false, ...errorOf(failure) })

/** A percentage clamped to 0–100. */
export const percent = (value: number): number => Math.min(100, Math.max(0, value))
