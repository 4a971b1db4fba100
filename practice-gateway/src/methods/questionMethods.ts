import { Effect, Result, Schema } from "effect"
import { invalidRequest } from "../wire/GatewayRefusal.ts"
import { afterAnswer, type GatewayMethod, method, NoParams } from "./method.ts"

const SCOPE = "operator.questions"

const Id = Schema.Struct({ id: Schema.NonEmptyString })
const Answers = Schema.Struct({ answers: Schema.Record(Schema.String, Schema.Array(Schema.String)) })
const Resolution = Schema.Union([
  Schema.Struct({ id: Schema.NonEmptyString, answers: Answers }),
  Schema.Struct({ id: Schema.NonEmptyString, cancel: Schema.Literal(true) })
])

const refused = (reason: string, message: string) => Effect.fail(invalidRequest(message, { reason }))

/** `question.*`: what agents ask people. */
export const questionMethods: ReadonlyArray<GatewayMethod> = [
  method("question.list", SCOPE, NoParams, (_, { gateway }) =>
    Effect.sync(() => ({ questions: gateway.questions.list() }))
  ),
  method("question.get", SCOPE, Id, ({ id }, { gateway }) =>
    Effect.suspend(() => {
      const question = gateway.questions.find(id)
      return question === undefined
        ? refused("QUESTION_NOT_FOUND", `question '${id}' was not found`)
        : Effect.succeed({ question })
    })
  ),
  method("question.resolve", SCOPE, Resolution, (params, { gateway }) =>
    Effect.suspend(() => {
      const given = "cancel" in params ? null : params.answers.answers
      const done = gateway.questions.resolve(params.id, given, (task) => afterAnswer(gateway, task))
      return Result.isSuccess(done) ? Effect.succeed(done.success) : refused(done.failure.reason, done.failure.message)
    })
  )
]
