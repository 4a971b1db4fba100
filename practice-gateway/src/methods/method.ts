import { Effect, Result, Schema } from "effect"
import type { Gateway } from "../Gateway.ts"
import type { Generation } from "../Generation.ts"
import { type Connection, coversScope } from "../server/Connection.ts"
import { GatewayRefusal, invalidRequest } from "../wire/GatewayRefusal.ts"
import { paramIssues } from "../wire/paramIssues.ts"

/** One request to a method. */
export interface Call {
  readonly gateway: Gateway
  readonly connection: Connection
  /** Sends a first answer with the same id; the method's result becomes the second. */
  readonly answerFirst: (payload: unknown) => void
}

export type Answer = Effect.Effect<unknown, GatewayRefusal>

/** A scope that is always the same, or depends on what is asked. */
export type ScopeRule = string | ((params: unknown) => string)

/** A gateway method that can be called with any input. */
export interface GatewayMethod {
  readonly name: string
  readonly call: (params: unknown, call: Call) => Answer
}

const missingScope = (scope: string) =>
  new GatewayRefusal({
    code: "FORBIDDEN",
    message: `missing scope: ${scope}`,
    details: { code: "MISSING_SCOPE", missingScope: scope, requiredScopes: [scope] }
  })

/** What a generation refuses of a method's params besides the schema. */
const paramFaults = ({ params }: Generation, method: string, given: unknown): ReadonlyArray<string> => {
  const { required = [], unknown = [] } = params[method] ?? {}
  const keys = Object.keys(Object(given))
  return [
    ...required.filter((key) => !keys.includes(key)).map((key) => `must have required property '${key}'`),
    ...unknown.filter((key) => keys.includes(key)).map((key) => `at root: unexpected property '${key}'`)
  ]
}

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
        const usual = typeof scope === "string" ? scope : scope(raw)
        const needed = generation.adminOnly.has(name) ? "operator.admin" : usual
        if (!coversScope(admission.scopes, needed)) return Effect.fail(missingScope(needed))
        const faults = paramFaults(generation, name, raw)
        const decoded = decode(raw ?? {})
        if (Result.isSuccess(decoded) && faults.length === 0) return handle(decoded.success, call)
        const issues = Result.isFailure(decoded) ? [paramIssues(decoded.failure.issue)] : []
        return Effect.fail(invalidRequest(`invalid ${name} params: ${[...faults, ...issues].join("; ")}`))
      })
  }
}

/** Does something once the request at hand has been answered, as a gateway tells others of a change only then. */
export const afterAnswer = ({ fork }: Pick<Gateway, "fork">, task: () => void): void => {
  fork(Effect.andThen(Effect.yieldNow, Effect.sync(task)))
}

/** Params of a method without any. */
export const NoParams = Schema.Struct({})
