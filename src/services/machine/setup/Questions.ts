import { Context, Effect } from "effect"

export interface QuestionsShape {
  readonly say: (line: string) => Effect.Effect<void>
  /** One line; an empty answer means the default. */
  readonly line: (question: string, byDefault: string) => Effect.Effect<string>
  /** One line that isn't echoed. */
  readonly hidden: (question: string) => Effect.Effect<string>
  readonly yesNo: (question: string, byDefault: boolean) => Effect.Effect<boolean>
}

/** Asks the setup questions. */
export class Questions extends Context.Service<Questions, QuestionsShape>()(
  "agent-console/services/machine/setup/Questions"
) {}

/** Asks for a line until the answer is valid; `hint` says what a valid one is. */
export const askUntil =
  (questions: Pick<QuestionsShape, "line" | "say">) =>
  <A>(question: string, byDefault: string, parse: (text: string) => A | undefined, hint: string): Effect.Effect<A> => {
    const ask: Effect.Effect<A> = Effect.flatMap(questions.line(question, byDefault), (answer) => {
      const parsed = parse(answer)
      return parsed === undefined ? Effect.andThen(questions.say(hint), ask) : Effect.succeed(parsed)
    })
    return ask
  }
