import { Context, type Effect } from "effect"

export interface QuestionsShape {
  readonly say: (line: string) => Effect.Effect<void>
  /** One line; an empty answer is the one by default. */
  readonly line: (question: string, byDefault: string) => Effect.Effect<string>
  /** One line that is not shown. */
  readonly hidden: (question: string) => Effect.Effect<string>
  readonly yesNo: (question: string, byDefault: boolean) => Effect.Effect<boolean>
}

/** Whoever answers the questions of the set-up. */
export class Questions extends Context.Service<Questions, QuestionsShape>()("agent-console/services/setup/Questions") {}
