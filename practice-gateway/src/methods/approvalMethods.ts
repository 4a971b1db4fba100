import { Effect, Schema } from "effect"
import { isDecision } from "../chat/ExecApprovals.ts"
import { invalidRequest } from "../wire/GatewayRefusal.ts"
import { type GatewayMethod, method, NoParams } from "./method.ts"

const SCOPE = "operator.approvals"

/** `exec.approval.*` and what clients ask beside it. */
export const approvalMethods: ReadonlyArray<GatewayMethod> = [
  method("exec.approval.list", SCOPE, NoParams, (_, { gateway }) => Effect.sync(() => gateway.approvals.list())),
  method("plugin.approval.list", SCOPE, NoParams, () => Effect.succeed([])),
  method(
    "exec.approval.resolve",
    SCOPE,
    Schema.Struct({ id: Schema.NonEmptyString, decision: Schema.NonEmptyString }),
    ({ id, decision }, { gateway }) =>
      Effect.suspend(() => {
        if (!isDecision(decision)) return Effect.fail(invalidRequest("invalid decision"))
        const done = gateway.approvals.resolve(id, decision)
        if (done === "resolved") return Effect.succeed({ ok: true })
        return done === "too late"
          ? Effect.fail(invalidRequest("approval already resolved", { reason: "APPROVAL_ALREADY_RESOLVED" }))
          : Effect.fail(invalidRequest("unknown or expired approval id", { reason: "APPROVAL_NOT_FOUND" }))
      })
  )
]
