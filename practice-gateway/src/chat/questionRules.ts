import { Result } from "effect"

/** One part of an agent's question, as sent by the gateway. */
export interface QuestionPart {
  readonly questionId: string
  readonly header: string
  readonly question: string
  readonly options: ReadonlyArray<{ readonly label: string; readonly description?: string }>
  readonly multiSelect?: boolean
  /** Free text is accepted too. */
  readonly isOther?: boolean
  readonly isSecret?: boolean
  readonly secretStore?: { readonly name: string; readonly kind: "secret"; readonly reason?: string }
}

/** The chosen values by part id. */
export type QuestionAnswers = Readonly<Record<string, ReadonlyArray<string>>>

/** The answers as option labels, or what's wrong with them. */
export const checkedAnswers = (
  parts: ReadonlyArray<QuestionPart>,
  given: QuestionAnswers
): Result.Result<QuestionAnswers, string> => {
  const wrong = (id: string, reason: string) => Result.fail(`question '${id}' ${reason}`)
  const stray = Object.keys(given).find((id) => !parts.some(({ questionId }) => questionId === id))
  if (stray !== undefined) return wrong(stray, "is not part of this request")
  const checked: Record<string, ReadonlyArray<string>> = {}
  for (const { questionId: id, options, multiSelect, isOther, isSecret } of parts) {
    const values = given[id] ?? []
    if (values.length === 0) return wrong(id, "requires an answer")
    if (values.some((value) => value.trim() === "")) return wrong(id, "contains an empty answer")
    if (multiSelect !== true && values.length > 1) return wrong(id, "does not allow multiple answers")
    const labels = options.map(({ label }) => label)
    const own = values.filter((value) => !labels.includes(value.trim()))
    if (own.length > 0 && labels.length > 0 && isOther !== true) return wrong(id, "contains an unknown option")
    checked[id] = isSecret === true ? values : values.map((value) => value.trim())
  }
  return Result.succeed(checked)
}

const optionIn = ({ options }: QuestionPart, words: string): string | undefined => {
  const text = words.trim()
  return (options[Number(text) - 1] ?? options.find(({ label }) => label.toLowerCase() === text.toLowerCase()))?.label
}

const valuesIn = (part: QuestionPart, text: string): ReadonlyArray<string> => {
  const whole = optionIn(part, text)
  if (whole !== undefined) return [whole]
  const pieces = part.multiSelect === true ? text.split(/[,;\n]/) : [text]
  return pieces.map((piece) => optionIn(part, piece) ?? piece.trim()).filter((value) => value !== "")
}

/** What a plain message answers: all of it the only part, else each line the part of its place. */
export const answersInText = (parts: ReadonlyArray<QuestionPart>, text: string): QuestionAnswers => {
  const lines = parts.length === 1 ? [text] : text.split("\n")
  return Object.fromEntries(parts.map((part, index) => [part.questionId, valuesIn(part, lines[index] ?? "")]))
}
