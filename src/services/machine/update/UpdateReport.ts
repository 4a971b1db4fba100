import { Context, type Effect } from "effect"

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
