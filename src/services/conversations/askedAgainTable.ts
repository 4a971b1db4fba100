import { Schema } from "effect"
import { ConversationItem } from "../../contract/schema/conversation.ts"
import { AskedAgain } from "../../contract/schema/messageActions.ts"
import { isText, orNull, readRows } from "../platform/sqlite/rowGuards.ts"
import type { SqlConnection } from "../platform/sqlite/Sqlite.ts"

/** A picture that goes with a message again, in base64. */
const Picture = Schema.Struct({ name: Schema.String, type: Schema.String, data: Schema.String })
export type Picture = typeof Picture.Type

/** A question that is to be removed from its session and asked again. */
export const RepeatedQuestion = Schema.Struct({
  /** Its key in the conversation; null if it's before all that is held. */
  key: Schema.NullOr(Schema.String),
  /** The gateway's name for it. */
  entryId: Schema.String,
  text: Schema.String,
  pictures: Schema.Array(Picture),
  /** What no version keeps. */
  removed: Schema.optionalKey(Schema.Array(ConversationItem)),
  /** The gateway has removed it. */
  isRemoved: Schema.Boolean
})
export type RepeatedQuestion = typeof RepeatedQuestion.Type

/** How far a request to ask again came. */
export type AskingState =
  | { readonly type: "begun"; readonly question: RepeatedQuestion }
  | { readonly type: "done"; readonly answer: AskedAgain }

const decodeQuestion = Schema.decodeUnknownSync(Schema.fromJsonString(RepeatedQuestion))
const decodeAnswer = Schema.decodeUnknownSync(Schema.fromJsonString(AskedAgain))

export const findAsking = (db: SqlConnection, id: string): AskingState | undefined => {
  const [row] = readRows(
    [orNull(isText), orNull(isText)],
    db.rows("SELECT question, answer FROM asked_again WHERE id = ?", id)
  )
  const [question = null, answer = null] = row ?? []
  if (answer !== null) return { type: "done", answer: decodeAnswer(answer) }
  return question === null ? undefined : { type: "begun", question: decodeQuestion(question) }
}

/** Stores a question before the gateway removes it, and again after that. */
export const saveQuestion = (db: SqlConnection, id: string, question: RepeatedQuestion, at: number): void => {
  db.run("INSERT OR REPLACE INTO asked_again VALUES (?, ?, NULL, ?)", id, JSON.stringify(question), at)
}

export const saveAnswer = (db: SqlConnection, id: string, answer: AskedAgain, at: number): void => {
  db.run("INSERT OR REPLACE INTO asked_again VALUES (?, NULL, ?, ?)", id, JSON.stringify(answer), at)
}

export const forgetAsking = (db: SqlConnection, id: string): void => {
  db.run("DELETE FROM asked_again WHERE id = ?", id)
}

/** Forgets the requests from before that time. */
export const forgetAskings = (db: SqlConnection, before: number): void => {
  db.run("DELETE FROM asked_again WHERE at < ?", before)
}

/**
 * Requests to ask a question again, by the sender's id: a repeated one gets the first answer, and one that was cut off
 * between the gateway's removal and the new message goes on from there. The schema number isn't raised, because the
 * version that a rollback restores doesn't need the table and would refuse a file with a newer number.
 */
export const askedAgainAdditions = `
  CREATE TABLE IF NOT EXISTS asked_again (
    id TEXT PRIMARY KEY,
    question TEXT,
    answer TEXT,
    at INTEGER NOT NULL
  ) STRICT;
`
