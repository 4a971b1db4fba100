import type { InboxItem, InboxResolution } from "../../contract/schema/inbox.ts"
import { optionalEntry } from "../platform/optionalEntry.ts"

/** The values given for each part of a question, by its id. */
export type GivenAnswers = Readonly<Record<string, ReadonlyArray<string>>>

const MAX_TEXT = 500

/** Answers in one line, for people to read later: a single part's values, otherwise each with its header. A secret is never repeated. */
export const answerText = (
  { questions = [] }: Pick<InboxItem, "questions">,
  answers: GivenAnswers | undefined
): string | undefined => {
  const lines = questions.flatMap(({ id, header, text, secret }) => {
    const values = answers !== undefined && Object.hasOwn(answers, id) ? (answers[id] ?? []) : []
    if (values.length === 0) return []
    const said = secret === true ? "a secret" : values.join(", ")
    return [questions.length === 1 ? said : `${header ?? text}: ${said}`]
  })
  const line = lines.join(" · ")
  if (line === "") return undefined
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT - 1).trimEnd()}…` : line
}

/** The end of a question with what it was answered with. */
export const withAnswer = (
  item: InboxItem,
  resolution: InboxResolution,
  answers: GivenAnswers | undefined
): InboxResolution => ({
  ...resolution,
  ...optionalEntry("answer", resolution.action === "answer" ? answerText(item, answers) : undefined)
})
