import { Effect, Schema } from "effect"
import { type Failure, failureOf, ofField } from "../../../contract/failure.ts"
import { failureFields } from "../../../contract/schema/failure.ts"

/** Why a gateway call failed; each reason has its own message. */
export const GatewayFailureReason = Schema.Literals([
  /** No connection, or it broke before the response came; a call that changes something may have been carried out. */
  "unreachable",
  "timeout",
  /** The gateway doesn't accept the console: token, protocol, password. */
  "refused",
  "not_approved",
  "missing_scope",
  /** The gateway's settings forbid the tool or method. */
  "not_allowed",
  /** The method, tool or named thing doesn't exist there. */
  "not_found",
  "invalid",
  /** The gateway tried and failed. */
  "failed",
  "shape"
])

export type GatewayFailureReason = typeof GatewayFailureReason.Type

/**
 * A failed gateway call. `message` says what to do and never contains the gateway's raw text. `code` is the gateway's
 * own error code, if any, for use in code only. `requestId` is the approval request the console's device is waiting
 * for, and `field` is the part of the request the gateway rejected, such as `schedule.tz`.
 */
export class GatewayError extends Schema.TaggedError<GatewayError>()("GatewayError", {
  reason: GatewayFailureReason,
  ...failureFields,
  code: Schema.optionalKey(Schema.String),
  requestId: Schema.optionalKey(Schema.String),
  field: Schema.optionalKey(Schema.String)
}) {}

/** Turns a rejected value into the caller's own error, as `field: sentence`; other failures are passed on. */
export const refusedAs =
  <R>(make: (refused: Failure) => R) =>
  <A, E>(call: Effect.Effect<A, E | GatewayError>): Effect.Effect<A, E | GatewayError | R> =>
    Effect.mapError(call, (error) =>
      isRefusal(error) ? make(error.field === undefined ? failureOf(error) : ofField(error.field, error)) : error
    )

const isRefusal = (error: unknown): error is GatewayError => error instanceof GatewayError && error.reason === "invalid"
