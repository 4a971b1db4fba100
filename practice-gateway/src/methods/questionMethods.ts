import { Effect, Result, Schema } from "effect"
import type { Gateway } from "../Gateway.ts"
import { invalidRequest } from "../wire/GatewayRefusal.ts"
import { type Answer, afterAnswer, type GatewayMethod, method, NoParams } from "./method.ts"

const SCOPE = "operator.questions"

const Id = Schema.Struct({ id: Schema.NonEmptyString })
const Answers = Schema.Struct({ answers: Schema.Record(Schema.String, Schema.Array(Schema.String)) })
const Resolution = Schema.Union([
  Schema.Struct({ id: Schema.NonEmptyString, answers: Answers }),
  Schema.Struct({ id: Schema.NonEmptyString, cancel: Schema.Literal(true) })
])

const newOnly = (gateway: Gateway, name: string, answer: Answer): Answer =>
  gateway.generation === "old" ? Effect.fail(invalidRequest(`unknown method: ${name}`)) : answer

const refused = (reason: string, message: string) => Effect.fail(invalidRequest(message, { reason }))

/** `question.*`: what agents ask people; the older generation has none of it. */
export const questionMethods: ReadonlyArray<GatewayMethod> = [
  method("question.list", SCOPE, NoParams, (_, { gateway }) =>
    newOnly(
      gateway,
      "question.list",
      Effect.sync(() => ({ questions: gateway.questions.list() }))
    )
  ),
  method("question.get", SCOPE, Id, ({ id }, { gateway }) =>
    newOnly(
      gateway,
      "question.get",
      Effect.suspend(() => {
        const question = gateway.questions.find(id)
        return question === undefined
          ? refused("QUESTION_NOT_FOUND", `question '${id}' was not found`)
          : Effect.succeed({ question })
      })
    )
  ),
  method("question.resolve", SCOPE, Resolution, (params, { gateway }) =>
    newOnly(
      gateway,
      "question.resolve",
      Effect.suspend(() => {
        const given = "cancel" in params ? null : params.answers.answers
        const done = gateway.questions.resolve(params.id, given, (task) => afterAnswer(gateway, task))
        return Result.isSuccess(done)
          ? Effect.succeed(done.success)
          : refused(done.failure.reason, done.failure.message)
      })
    )
  )
]
