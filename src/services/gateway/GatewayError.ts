import { Schema } from "effect"

/** Why a gateway call failed; each has its own sentence for people (D35). */
export const GatewayFailureReason = Schema.Literals([
  /** No link, or it broke before the answer came; a call that changes something may have been carried out. */
  "unreachable",
  "timeout",
  /** The gateway does not let the console in: token, protocol, password. */
  "refused",
  "not_approved",
  "missing_scope",
  /** The gateway's settings forbid the tool or method. */
  "not_allowed",
  /** The method, tool or named thing does not exist there. */
  "not_found",
  "invalid",
  /** The gateway tried and could not. */
  "failed",
  "shape"
])

export type GatewayFailureReason = typeof GatewayFailureReason.Type

/**
 * A gateway call that failed. `message` is a sentence a person can act on and never holds the gateway's raw text;
 * `code` is the gateway's own error code where it gave one, for decisions in code only.
 */
export class GatewayError extends Schema.TaggedError<GatewayError>()("GatewayError", {
  reason: GatewayFailureReason,
  message: Schema.String,
  code: Schema.optionalKey(Schema.String)
}) {}
