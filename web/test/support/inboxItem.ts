import type { InboxItem, QuestionPart } from "../../src/core/inbox/inboxTypes.ts"

/** A part of a question, with three options and own words. */
export const questionPart = (change: Partial<QuestionPart> = {}): QuestionPart => ({
  id: "colour",
  header: "Colour",
  text: "Which colour?",
  url: null,
  options: ["Red", "Blue", "Green"].map((label, index) => ({ id: String(index + 1), label, description: null })),
  multiple: false,
  freeText: true,
  secret: false,
  store: null,
  ...change
})

/** An open approval. */
export const inboxItem = (change: Partial<InboxItem> = {}): InboxItem => ({
  id: "one",
  gatewayId: "primary",
  kind: "approval",
  title: "ls",
  detail: null,
  sessionKey: "agent:main:a",
  taskId: null,
  createdAt: 1,
  expiresAt: null,
  state: "open",
  questions: [],
  actions: [
    { id: "allow-once", label: "Allow once", needs: null },
    { id: "deny", label: "Deny", needs: null }
  ],
  resolution: null,
  ...change
})

/** An open question with these parts. */
export const questionItem = (...questions: ReadonlyArray<QuestionPart>): InboxItem =>
  inboxItem({
    id: "q",
    kind: "question",
    title: "Which colour?",
    questions,
    actions: [
      { id: "answer", label: "Answer", needs: "answers" },
      { id: "skip", label: "Skip", needs: null }
    ]
  })
