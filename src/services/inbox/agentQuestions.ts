import { randomUUID } from "node:crypto"
import { Clock, Effect, Result, Schema } from "effect"
import { filledText, flag, list, maybe, required } from "../../contract/schema/fields.ts"
import type { InboxItem } from "../../contract/schema/inbox.ts"
import { optionalEntry } from "../platform/optionalEntry.ts"
import type { SqliteShape } from "../platform/sqlite/Sqlite.ts"
import type { InboxSource, ItemStore } from "./ItemStore.ts"
import { actionsOf, headline, ItemNotFound, TooManyQuestions } from "./inboxRules.ts"
import type { ItemDraft } from "./inboxTable.ts"

/** The maximum number of parts of one question, and of options of a part. */
export const MAX_PARTS = 4
const MAX_OPTIONS = 12

/** One part of an agent's question. */
export const AskedPart = Schema.Struct({
  question: required(filledText(2_000)),
  options: maybe(list(filledText(200), 0, MAX_OPTIONS)),
  multiple: maybe(flag)
})
export type AskedPart = typeof AskedPart.Type

/** The agent that asks. */
export interface Asker {
  /** The id of its token. */
  readonly id: string
  readonly name: string
}

/** An agent's question to a person. */
export interface AgentAsk {
  readonly parts: ReadonlyArray<AskedPart>
  readonly taskId?: string
}

/** The state of a question; `answers` has the values of each part in order once it's answered. */
export interface AskedState {
  readonly state: "waiting" | "answered" | "skipped" | "expired"
  readonly answers?: ReadonlyArray<{ readonly question: string; readonly answer: ReadonlyArray<string> }>
}

const ASKED = "asked"

/** The item for a question; every part also accepts free text. */
const askDraft = (
  { parts, taskId }: AgentAsk,
  { name }: Asker,
  from: { readonly gatewayId: string; readonly source: string; readonly now: number }
): ItemDraft => ({
  gatewayId: from.gatewayId,
  origin: ASKED,
  source: from.source,
  kind: "question",
  title: headline(parts[0]?.question ?? ""),
  detail: `Asked by ${name}`,
  ...optionalEntry("taskId", taskId),
  createdAt: from.now,
  questions: parts.map(({ question, options = [], multiple = false }, index) => ({
    id: String(index + 1),
    text: question,
    ...(options.length === 0
      ? {}
      : { options: [...new Set(options)].map((label, at) => ({ id: String(at + 1), label })) }),
    multiple,
    freeText: true
  })),
  offers: actionsOf("question").map(({ id }) => id)
})

/** The state of a question as the agent gets it. */
const askedState = (
  { state, resolution, questions = [] }: InboxItem,
  answers: Readonly<Record<string, ReadonlyArray<string>>> | undefined
): AskedState => {
  if (state === "open") return { state: "waiting" }
  if (state === "expired") return { state: "expired" }
  if (resolution?.action !== "answer" || answers === undefined) return { state: "skipped" }
  return {
    state: "answered",
    answers: questions.map(({ id, text }) => ({
      question: text,
      answer: Object.hasOwn(answers, id) ? (answers[id] ?? []) : []
    }))
  }
}

/**
 * Who asked each question with a tool, and what was answered, part by part. Not a schema number of its own: a version
 * that an update goes back to doesn't need the table.
 */
export const agentQuestionAdditions = `
  CREATE TABLE IF NOT EXISTS agent_questions (
    item TEXT PRIMARY KEY,
    asker TEXT NOT NULL,
    answers TEXT
  ) STRICT, WITHOUT ROWID;
`

/** An agent that runs in a circle must not bury what others ask. */
export const MOST_WAITING = 20

const Answers = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Array(Schema.String)))
const Row = Schema.Struct({ answers: Schema.NullOr(Answers) })
const decodeRow = Schema.decodeUnknownSync(Row)

/** Questions that agents ask with the console's own tools. */
export const makeAgentQuestions = (sqlite: SqliteShape, store: ItemStore, gatewayId: string) => {
  const source: InboxSource = {
    origins: [ASKED],
    // The answers are stored before the item ends, so that they're there for every reader of its end.
    execute: ({ item }, { action, answers }) =>
      action !== "answer"
        ? Effect.void
        : sqlite.transaction((db) => {
            db.run("UPDATE agent_questions SET answers = ? WHERE item = ?", JSON.stringify(answers), item.id)
            return Result.void
          }),
    reload: () => Effect.void
  }

  /** Opens a question and returns its id. */
  const ask = Effect.fn("Inbox.ask")(function* (question: AgentAsk, asker: Asker) {
    const now = yield* Clock.currentTimeMillis
    const source = randomUUID()
    const [opened] = yield* store.change((db) => {
      const waiting = db.all(
        "SELECT item FROM agent_questions JOIN inbox_items ON id = item WHERE asker = ? AND state = 'open'",
        asker.id
      )
      if (waiting.length >= MOST_WAITING) return []
      db.run("DELETE FROM agent_questions WHERE item NOT IN (SELECT id FROM inbox_items)")
      const changes = store.opened(db, askDraft(question, asker, { gatewayId, source, now }))
      for (const { item } of changes) db.run("INSERT INTO agent_questions VALUES (?, ?, NULL)", item.id, asker.id)
      return changes
    })
    return opened?.item.id ?? (yield* new TooManyQuestions())
  })

  /** The state of a question, for the agent that asked it. */
  const askedBy = Effect.fn("Inbox.askedBy")(function* (id: string, asker: string) {
    const row = yield* sqlite.read((db) =>
      db.get("SELECT answers FROM agent_questions WHERE item = ? AND asker = ?", id, asker)
    )
    if (row === undefined) return yield* new ItemNotFound({ id })
    const { item } = yield* store.stored(id)
    const { answers } = decodeRow(row)
    return askedState(item, answers ?? undefined)
  })

  return { source, ask, askedBy }
}
