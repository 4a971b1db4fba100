import { Schema } from "effect"

/** The step an update failed at; each has an exit code of its own. */
export const FailedStep = Schema.Literals([
  "preflight",
  "resolution",
  "build",
  "restart",
  "health",
  "rollback",
  "lock",
  "declined"
])
export type FailedStep = typeof FailedStep.Type

/** Why an update ended; `message` says what happened and what to do. */
export class UpdateFailure extends Schema.TaggedError<UpdateFailure>()("UpdateFailure", {
  step: FailedStep,
  message: Schema.String
}) {}

/** Creates the failures of one step. */
export const failedAt =
  (step: FailedStep) =>
  ({ message }: { readonly message: string }): UpdateFailure =>
    new UpdateFailure({ step, message })
