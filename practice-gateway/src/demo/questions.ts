import type { QuestionAnswers, QuestionPart } from "../chat/questionRules.ts"
import type { DemoStep } from "./steps.ts"

const MINUTE = 60_000

const colour: QuestionPart = {
  questionId: "colour",
  header: "Colour",
  question: "Which colour shall the shed have?",
  options: [
    { label: "Red (Recommended)", description: "Like the barn next to it." },
    { label: "Blue", description: "Needs a second coat after a year." },
    { label: "Leave it as it is" }
  ],
  isOther: true
}

const extras: QuestionPart = {
  questionId: "extras",
  header: "Extras",
  question: "What else does it need?",
  options: [{ label: "A window" }, { label: "A lamp", description: "Solar, over the door." }, { label: "A bench" }],
  multiSelect: true,
  isOther: true
}

const when: QuestionPart = {
  questionId: "when",
  header: "When",
  question: "When shall the painting begin?",
  options: [{ label: "This week" }, { label: "Next month" }]
}

const secret: QuestionPart = {
  questionId: "secret_value",
  header: "API key",
  question: "Provide the secret for WEATHER_KEY.",
  options: [],
  isSecret: true,
  secretStore: {
    name: "WEATHER_KEY",
    kind: "secret",
    reason: "To look up whether it rains on the day of the painting."
  }
}

const ask = (
  questions: ReadonlyArray<QuestionPart>,
  timeoutMs: number,
  reply: (answers: QuestionAnswers) => string
): DemoStep => ({
  type: "ask",
  questions,
  timeoutMs,
  reply: (answers) => (answers === null ? "No answer came, so I'll decide myself: red it is." : reply(answers))
})

const list = (answers: QuestionAnswers, id: string) => (answers[id] ?? []).join(", ")

/** One question with choices, or with words of one's own. */
export const oneQuestion = ask([colour], 15 * MINUTE, (answers) => `Thank you, noted: **${list(answers, "colour")}**.`)

/** The same, for people who come back to it later. */
export const patientQuestion = ask([colour], 24 * 60 * MINUTE, (answers) => {
  const colour = list(answers, "colour").replace(" (Recommended)", "")
  const card = {
    title: "Paint the garden shed",
    description: `Colour: ${colour}. Two coats, on the next two dry days.`,
    priority: "normal",
    labels: ["garden"]
  }
  return `Thank you, noted: **${colour}**. It needs two dry days, so I suggest a card for it:\n\n[kanban:create]${JSON.stringify(card)}[/kanban:create]\n\nApprove it, and it's on your board.`
})

/** Three at once. */
export const threeQuestions = ask(
  [colour, extras, when],
  15 * MINUTE,
  (answers) =>
    `Thank you. Colour: **${list(answers, "colour")}**. Extras: **${list(answers, "extras")}**. When: **${list(answers, "when")}**.`
)

/** One whose time is over soon. */
export const shortQuestion = ask([colour], 8_000, (answers) => `That was quick: **${list(answers, "colour")}**.`)

/** One for a secret, which the agent never gets to see. */
export const secretQuestion = ask([secret], 15 * MINUTE, () => "Thank you. The gateway keeps it; I never saw it.")
