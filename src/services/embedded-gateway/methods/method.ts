import { Effect, Result, Schema } from "effect"
import type { Gateway } from "../Gateway.ts"
import { type Connection, coversScope } from "../server/Connection.ts"
import { GatewayRefusal, invalidRequest } from "../wire/GatewayRefusal.ts"
import type { Generation } from "../wire/generations.ts"
import { paramIssues } from "../wire/paramIssues.ts"

/** One request on its way through a method. */
export interface Call {
  readonly gateway: Gateway
  readonly connection: Connection
  /** Sends a first answer with the same id; the method's result becomes the second. */
  readonly answerFirst: (payload: unknown) => void
}

export type Answer = Effect.Effect<unknown, GatewayRefusal>

/** A scope that is always the same, or depends on the generation and what is asked. */
export type ScopeRule = string | ((generation: Generation, params: unknown) => string)

/** A method of the gateway, ready to be called with whatever arrived. */
export interface GatewayMethod {
  readonly name: string
  readonly call: (params: unknown, call: Call) => Answer
}

const missingScope = (generation: Generation, scope: string) =>
  generation === "old"
    ? invalidRequest(`missing scope: ${scope}`)
    : new GatewayRefusal({
        code: "FORBIDDEN",
        message: `missing scope: ${scope}`,
        details: { code: "MISSING_SCOPE", missingScope: scope, requiredScopes: [scope] }
      })

/** Declares a method: unknown params are refused, and the scope is checked before anything is decoded. */
export const method = <A>(
  name: string,
  scope: ScopeRule,
  params: Schema.Decoder<A>,
  handle: (params: A, call: Call) => Answer
): GatewayMethod => {
  const decode = Schema.decodeUnknownResult(params, { errors: "all", onExcessProperty: "error" })
  return {
    name,
    call: (raw, call) =>
      Effect.suspend(() => {
        const { generation } = call.gateway
        const admission = call.connection.session?.admission
        if (admission?.role !== "operator") return Effect.fail(invalidRequest("unauthorized role: node"))
        const needed = typeof scope === "string" ? scope : scope(generation, raw)
        if (!coversScope(admission.scopes, needed)) return Effect.fail(missingScope(generation, needed))
        const decoded = decode(raw ?? {})
        return Result.isFailure(decoded)
          ? Effect.fail(invalidRequest(`invalid ${name} params: ${paramIssues(decoded.failure.issue, generation)}`))
          : handle(decoded.success, call)
      })
  }
}

/** Params of a method that takes none. */
export const NoParams = Schema.Struct({})
