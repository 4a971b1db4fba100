import { randomUUID } from "node:crypto"
import { Clock, Effect, Result, Schema } from "effect"
import type { SqliteShape } from "../platform/sqlite/Sqlite.ts"
import { type AgentAsk, ASKED, type Asker, askDraft, askedState } from "./agentAsk.ts"
import type { InboxLedger } from "./InboxLedger.ts"
import type { InboxDesk } from "./inboxDesk.ts"
import { ItemNotFound, TooManyQuestions } from "./inboxErrors.ts"

/**
 * Who asked each question with a tool, and what was answered, part by part. Not a schema number of its own: a version
 * that an update goes back to doesn't need the table.
 */
export const agentDeskAdditions = `
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
export const agentDesk = (sqlite: SqliteShape, ledger: InboxLedger, gatewayId: string) => {
  const desk: InboxDesk = {
    origins: [ASKED],
    // The answers are there before the item has ended: whoever hears of its end finds them.
    carryOut: ({ item }, { action, answers }) =>
      action !== "answer"
        ? Effect.void
        : sqlite.transaction((db) => {
            db.run("UPDATE agent_questions SET answers = ? WHERE item = ?", JSON.stringify(answers), item.id)
            return Result.void
          }),
    readAgain: () => Effect.void
  }

  /** Opens a question and returns its id. */
  const ask = Effect.fn("Inbox.ask")(function* (question: AgentAsk, asker: Asker) {
    const now = yield* Clock.currentTimeMillis
    const source = randomUUID()
    const [opened] = yield* ledger.change((db) => {
      const waiting = db.all(
        "SELECT item FROM agent_questions JOIN inbox_items ON id = item WHERE asker = ? AND state = 'open'",
        asker.id
      )
      if (waiting.length >= MOST_WAITING) return []
      db.run("DELETE FROM agent_questions WHERE item NOT IN (SELECT id FROM inbox_items)")
      const changes = ledger.opened(db, askDraft(question, asker, { gatewayId, source, now }))
      for (const { item } of changes) db.run("INSERT INTO agent_questions VALUES (?, ?, NULL)", item.id, asker.id)
      return changes
    })
    return opened?.item.id ?? (yield* new TooManyQuestions())
  })

  /** What became of a question, for the one that asked it. */
  const askedBy = Effect.fn("Inbox.askedBy")(function* (id: string, asker: string) {
    const row = yield* sqlite.read((db) =>
      db.get("SELECT answers FROM agent_questions WHERE item = ? AND asker = ?", id, asker)
    )
    if (row === undefined) return yield* new ItemNotFound({ id })
    const { item } = yield* ledger.stored(id)
    const { answers } = decodeRow(row)
    return askedState(item, answers ?? undefined)
  })

  return { desk, ask, askedBy }
}
