import { Context, type Effect } from "effect"

export interface UpdateReportShape {
  /** One line for people. */
  readonly say: (line: string) => Effect.Effect<void>
  /** A line that should not be missed. */
  readonly warn: (line: string) => Effect.Effect<void>
  /** Announces a step, runs it, and tells how long it took. */
  readonly step: <A, E, R>(title: string, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** What is only told to those who want to see every command. */
  readonly detail: (line: string) => Effect.Effect<void>
  /** Asks for a yes; `undefined` where nobody is there to answer. */
  readonly confirm: (question: string) => Effect.Effect<boolean | undefined>
}

/** Where an update tells what it does. */
export class UpdateReport extends Context.Service<UpdateReport, UpdateReportShape>()(
  "agent-console/services/update/UpdateReport"
) {}
