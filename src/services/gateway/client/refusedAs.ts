import { Effect } from "effect"
import { type Failure, failureOf, ofField } from "../../../contract/failure.ts"
import { GatewayError } from "./GatewayError.ts"

/** Turns a rejected value into the caller's own error, as `field: sentence`; other failures are passed on. */
export const refusedAs =
  <R>(make: (refused: Failure) => R) =>
  <A, E>(call: Effect.Effect<A, E | GatewayError>): Effect.Effect<A, E | GatewayError | R> =>
    Effect.mapError(call, (error) =>
      isRefusal(error) ? make(error.field === undefined ? failureOf(error) : ofField(error.field, error)) : error
    )

const isRefusal = (error: unknown): error is GatewayError => error instanceof GatewayError && error.reason === "invalid"
