import { Effect, Layer } from "effect"
import { Questions } from "../../src/services/machine/setup/Questions.ts"

/** Setup's questions, answered by their first words; other questions get the default. */
export const answeredQuestions = (answers: ReadonlyArray<readonly [question: string, answer: string]>) => {
  const left = [...answers]
  const told: Array<string> = []
  const answer = (question: string) => {
    told.push(question)
    const at = left.findIndex(([start]) => question.startsWith(start))
    return at === -1 ? undefined : left.splice(at, 1)[0]?.[1]
  }
  const layer = Layer.succeed(Questions, {
    say: (line) => Effect.sync(() => told.push(line)),
    line: (question, byDefault) => Effect.sync(() => answer(question) ?? byDefault),
    hidden: (question) => Effect.sync(() => answer(question) ?? ""),
    yesNo: (question, byDefault) => Effect.sync(() => (answer(question) ?? (byDefault ? "y" : "n")) === "y")
  })
  return { told, layer }
}
