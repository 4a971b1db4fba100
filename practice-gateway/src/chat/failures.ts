import type { Generation } from "../wire/generations.ts"

/** Why a demo turn fails. */
export type FailReason = "format" | "rate_limit" | "transcript"

/** What a generation reports and stores for a failure. */
interface Failure {
  readonly told: string
  readonly stored: string
}

export const FAILURES: Readonly<Record<FailReason, Readonly<Record<Generation, Failure>>>> = {
  format: {
    old: { told: "HTTP 400: the demo was asked to fail", stored: "HTTP 400: the demo was asked to fail" },
    new: {
      told: "LLM request failed: provider rejected the request schema or tool payload.",
      stored: "LLM request failed (request format rejected, HTTP 400)."
    }
  },
  rate_limit: {
    old: { told: "⚠️ API rate limit reached. Please try again later.", stored: "429 the demo was asked to slow down" },
    new: {
      told: "⚠️ API rate limit reached. Please try again later.",
      stored: "API rate limit reached. Please try again later."
    }
  },
  transcript: {
    old: { told: "The transcript changed.", stored: "The transcript changed." },
    new: {
      told: "Session transcript keyed user is outside the current turn",
      stored: "Session transcript keyed user is outside the current turn"
    }
  }
}

/** What else the newer generation reports about a failure. */
export const OBSERVATIONS: Readonly<Record<FailReason, Readonly<Record<string, string>>>> = {
  format: { failoverReason: "format", providerRuntimeFailureKind: "schema" },
  rate_limit: { failoverReason: "rate_limit", providerRuntimeFailureKind: "rate_limit" },
  transcript: {}
}
