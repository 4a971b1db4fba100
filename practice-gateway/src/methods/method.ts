import { Effect, Result, Schema } from "effect"
import type { Gateway } from "../Gateway.ts"
import { type Connection, coversScope } from "../server/Connection.ts"
import { GatewayRefusal, invalidRequest } from "../wire/GatewayRefusal.ts"
import type { Generation } from "../wire/generations.ts"
import { paramIssues } from "../wire/paramIssues.ts"

/** One request to a method. */
export interface Call {
  readonly gateway: Gateway
  readonly connection: Connection
  /** Sends a first answer with the same id; the method's result becomes the second. */
  readonly answerFirst: (payload: unknown) => void
}

export type Answer = Effect.Effect<unknown, GatewayRefusal>

/** A scope that is always the same, or depends on the generation and what is asked. */
export type ScopeRule = string | ((generation: Generation, params: unknown) => string)

/** A gateway method that can be called with any input. */
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

/** The params of a method: the same in both generations, or those of each. */
type Params<A> = Schema.Decoder<A> | Readonly<Record<Generation, Schema.Decoder<A>>>

/** Declares a method: unknown params are refused, and the scope is checked before anything is decoded. */
export const method = <A>(
  name: string,
  scope: ScopeRule,
  params: Params<A>,
  handle: (params: A, call: Call) => Answer
): GatewayMethod => {
  const decoderOf = (schema: Schema.Decoder<A>) =>
    Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })
  const decoders =
    "old" in params
      ? { old: decoderOf(params.old), new: decoderOf(params.new) }
      : { old: decoderOf(params), new: decoderOf(params) }
  return {
    name,
    call: (raw, call) =>
      Effect.suspend(() => {
        const { generation } = call.gateway
        const admission = call.connection.session?.admission
        if (admission?.role !== "operator") return Effect.fail(invalidRequest("unauthorized role: node"))
        const needed = typeof scope === "string" ? scope : scope(generation, raw)
        if (!coversScope(admission.scopes, needed)) return Effect.fail(missingScope(generation, needed))
        const decoded = decoders[generation](raw ?? {})
        return Result.isFailure(decoded)
          ? Effect.fail(invalidRequest(`invalid ${name} params: ${paramIssues(decoded.failure.issue, generation)}`))
          : handle(decoded.success, call)
      })
  }
}

/** Does something once the request at hand has been answered, as a gateway tells others of a change only then. */
export const afterAnswer = ({ fork }: Pick<Gateway, "fork">, task: () => void): void => {
  fork(Effect.andThen(Effect.yieldNow, Effect.sync(task)))
}

/** Params of a method without any. */
export const NoParams = Schema.Struct({})
