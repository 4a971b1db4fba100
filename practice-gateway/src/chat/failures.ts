/** Why a demo turn fails. */
export type FailReason = "format" | "rate_limit" | "transcript"

/** What else is reported about a failure. */
export const OBSERVATIONS: Readonly<Record<FailReason, Readonly<Record<string, string>>>> = {
  format: { failoverReason: "format", providerRuntimeFailureKind: "schema" },
  rate_limit: { failoverReason: "rate_limit", providerRuntimeFailureKind: "rate_limit" },
  transcript: {}
}
