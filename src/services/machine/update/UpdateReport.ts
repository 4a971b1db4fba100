import { Context, type Effect, Schema } from "effect"

export interface UpdateReportShape {
  /** One line for people. */
  readonly say: (line: string) => Effect.Effect<void>
  /** A line that shouldn't be missed. */
  readonly warn: (line: string) => Effect.Effect<void>
  /** Announces a step, runs it and reports how long it took. */
  readonly step: <A, E, R>(title: string, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Shown only with `--verbose`. */
  readonly detail: (line: string) => Effect.Effect<void>
  /** Asks for confirmation; `undefined` if nobody is there to answer. */
  readonly confirm: (question: string) => Effect.Effect<boolean | undefined>
}

/** Where an update reports its progress. */
export class UpdateReport extends Context.Service<UpdateReport, UpdateReportShape>()(
  "agent-console/services/machine/update/UpdateReport"
) {}

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
