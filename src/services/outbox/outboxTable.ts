import type { Failure } from "../../contract/failure.ts"
import { OUTBOX_MODES, OUTBOX_STATES, type OutboxState } from "../../contract/outbox.ts"
import { type OutboxItem, type OutboxStanding, SessionBegin } from "../../contract/schema/outbox.ts"
import { optionalEntry } from "../platform/optionalEntry.ts"
import { isBytes, isFinite, isInteger, isOneOf, isText, orNull, readRows } from "../platform/sqlite/rowGuards.ts"
import type { SqlConnection, SqlValue } from "../platform/sqlite/Sqlite.ts"
import { storeWhy, whyOf } from "../platform/sqlite/storedWhys.ts"
import { elsewhere, insertInto, integer, json, oneOf, optional, real, table, text } from "../platform/sqlite/table.ts"
import type { OutboxSession, Queued, StoredAttachment, StoredMessage } from "./outboxMessage.ts"

const MESSAGE = table("outbox_items", {
  id: text,
  gatewayId: text,
  sessionKey: text,
  text,
  mode: oneOf(OUTBOX_MODES),
  notBefore: optional(integer),
  createdAt: integer,
  state: oneOf(OUTBOX_STATES),
  runId: text,
  error: optional({
    read: (value: unknown): Failure => ({ message: text.read(value) }),
    write: ({ message }: Failure) => message
  }),
  sentAt: optional(integer),
  gatewayStartedAt: optional(real),
  begin: elsewhere("(SELECT begin FROM outbox_begins WHERE item = outbox_items.id)", optional(json(SessionBegin)))
})

const messages = (db: SqlConnection, where: string, ...params: ReadonlyArray<SqlValue>): ReadonlyArray<StoredMessage> =>
  db
    .rows(`SELECT ${MESSAGE.selected()} FROM outbox_items WHERE state <> 'done' AND ${where}`, ...params)
    .map(MESSAGE.read)

/** The start of a message shows whether it's a command. */
const START = 300

/** A session's messages with the fields that `nextStep` needs. */
export const queueOf = (db: SqlConnection, { gatewayId, sessionKey }: OutboxSession): ReadonlyArray<Queued> =>
  readRows(
    [isText, isText, isOneOf(OUTBOX_MODES), orNull(isInteger), isOneOf(OUTBOX_STATES), isInteger],
    db.rows(
      `SELECT id, substr(text, 1, ${START}), mode, not_before, state,
        (SELECT count(*) FROM outbox_attachments WHERE item = id)
      FROM outbox_items WHERE state <> 'done' AND gateway_id = ? AND session_key = ? ORDER BY place, seq`,
      gatewayId,
      sessionKey
    )
  ).map(([id, text, mode, notBefore, state, attachments]) => ({
    id,
    text,
    mode,
    notBefore: notBefore ?? undefined,
    state,
    attachments
  }))

/** How much isn't done. */
export interface Backlog {
  readonly byState: ReadonlyMap<OutboxState, number>
  /** Since when (epoch ms) the oldest message that may be sent has waited to reach its gateway. */
  readonly oldestDue: number | undefined
}

export const backlogAt = (db: SqlConnection, now: number): Backlog => {
  const counts = readRows(
    [isOneOf(OUTBOX_STATES), isInteger],
    db.rows("SELECT state, count(*) FROM outbox_items WHERE state <> 'done' GROUP BY state")
  )
  const [oldest] = readRows(
    [orNull(isInteger)],
    db.rows(
      `SELECT min(max(created_at, coalesce(not_before, 0))) FROM outbox_items
      WHERE state IN ('waiting', 'sending') AND coalesce(not_before, 0) <= ?`,
      now
    )
  )
  return { byState: new Map(counts), oldestDue: oldest?.[0] ?? undefined }
}

/** The states of a session's messages, in the order of `messagesOf`; at most `limit`. */
export const statesOf = (
  db: SqlConnection,
  { gatewayId, sessionKey }: OutboxSession,
  limit: number
): ReadonlyArray<OutboxStanding> =>
  readRows(
    [isText, isOneOf(OUTBOX_MODES), orNull(isInteger), isOneOf(OUTBOX_STATES), isText, orNull(isText)],
    db.rows(
      `SELECT id, mode, not_before, state, run_id, error FROM outbox_items
      WHERE state <> 'done' AND gateway_id = ? AND session_key = ?
      ORDER BY state NOT IN ('handed', 'sending'), place, seq LIMIT ?`,
      gatewayId,
      sessionKey,
      limit
    )
  ).map(([id, mode, notBefore, state, runId, error]) => ({
    id,
    mode,
    ...optionalEntry("notBefore", notBefore ?? undefined),
    state,
    runId,
    ...optionalEntry("error", error ?? undefined),
    ...whyOf(db, error ?? undefined)
  }))

const numberIn = (db: SqlConnection, sql: string, ...params: ReadonlyArray<SqlValue>): number | undefined =>
  readRows([orNull(isFinite)], db.rows(sql, ...params))[0]?.[0] ?? undefined

/** A session's messages: those the gateway has or is getting, then the others in their order. */
export const messagesOf = (db: SqlConnection, { gatewayId, sessionKey }: OutboxSession): ReadonlyArray<StoredMessage> =>
  messages(
    db,
    "gateway_id = ? AND session_key = ? ORDER BY state NOT IN ('handed', 'sending'), place, seq",
    gatewayId,
    sessionKey
  )

/** Every message, session by session. */
export const allMessages = (db: SqlConnection): ReadonlyArray<StoredMessage> =>
  messages(db, "1 ORDER BY gateway_id, session_key, state NOT IN ('handed', 'sending'), place, seq")

export const messagesIn = (db: SqlConnection, gatewayId: string, state: OutboxState): ReadonlyArray<StoredMessage> =>
  messages(db, "gateway_id = ? AND state = ? ORDER BY seq", gatewayId, state)

/** The sessions in which something waits, is on its way or is being answered. */
export const busySessions = (db: SqlConnection, gatewayId: string): ReadonlyArray<string> =>
  readRows(
    [isText],
    db.rows(
      "SELECT DISTINCT session_key FROM outbox_items WHERE gateway_id = ? AND state IN ('waiting', 'sending', 'handed')",
      gatewayId
    )
  ).map(([key]) => key)

/** A message that isn't done with. */
export const findMessage = (db: SqlConnection, id: string): StoredMessage | undefined => messages(db, "id = ?", id)[0]

/** Whether a message of this id was done with not long ago, and how it ended. */
export const findDone = (
  db: SqlConnection,
  id: string
): (OutboxSession & { readonly createdAt: number }) | undefined => {
  const [row] = readRows(
    [isText, isText, isInteger],
    db.rows("SELECT gateway_id, session_key, created_at FROM outbox_items WHERE id = ? AND state = 'done'", id)
  )
  return row && { gatewayId: row[0], sessionKey: row[1], createdAt: row[2] }
}

/** When the next message that waits for a time is due. */
export const nextTime = (db: SqlConnection, gatewayId: string, after: number): number | undefined =>
  numberIn(
    db,
    "SELECT min(not_before) FROM outbox_items WHERE gateway_id = ? AND state = 'waiting' AND not_before > ?",
    gatewayId,
    after
  )

/** How many of a session haven't been handed over. */
export const countWaiting = (db: SqlConnection, { gatewayId, sessionKey }: OutboxSession): number =>
  numberIn(
    db,
    "SELECT count(*) FROM outbox_items WHERE gateway_id = ? AND session_key = ? AND state NOT IN ('done', 'handed')",
    gatewayId,
    sessionKey
  ) ?? 0

/** Bytes of everything that is kept. */
export const bytesKept = (db: SqlConnection): number =>
  numberIn(db, "SELECT sum(bytes) FROM outbox_items WHERE state <> 'done'") ?? 0

export const insertMessage = (
  db: SqlConnection,
  message: StoredMessage,
  attachments: ReadonlyArray<StoredAttachment>,
  bytes: number
): void => {
  const { gatewayId, sessionKey } = message
  const last = numberIn(
    db,
    "SELECT max(place) FROM outbox_items WHERE gateway_id = ? AND session_key = ? AND state <> 'done'",
    gatewayId,
    sessionKey
  )
  const columns = [...MESSAGE.names, "place", "bytes"]
  db.run(insertInto("outbox_items", columns), ...MESSAGE.values(message), (last ?? -1) + 1, bytes)
  if (message.begin !== undefined)
    db.run("INSERT INTO outbox_begins VALUES (?, ?)", message.id, JSON.stringify(message.begin))
  attachments.forEach(({ name, type, content }, place) => {
    db.run(
      "INSERT INTO outbox_attachments VALUES (?, ?, ?, ?, ?, ?)",
      message.id,
      place,
      name,
      type,
      content.byteLength,
      content
    )
  })
}

/** Stores everything of a message that can change. */
export const saveMessage = (db: SqlConnection, message: StoredMessage): void => {
  if (message.error !== undefined) storeWhy(db, message.error)
  db.run(
    `UPDATE outbox_items SET text = ?, mode = ?, not_before = ?, state = ?, run_id = ?, error = ?, sent_at = ?,
      gateway_started_at = ? WHERE id = ? AND state <> 'done'`,
    message.text,
    message.mode,
    message.notBefore ?? null,
    message.state,
    message.runId,
    message.error?.message ?? null,
    message.sentAt ?? null,
    message.gatewayStartedAt ?? null,
    message.id
  )
}

/** Stores the order of a session's messages. */
export const savePlaces = (db: SqlConnection, ids: ReadonlyArray<string>): void => {
  ids.forEach((id, place) => {
    db.run("UPDATE outbox_items SET place = ? WHERE id = ? AND place <> ?", place, id, place)
  })
}

export const attachmentsOf = (db: SqlConnection, id: string): ReadonlyArray<StoredAttachment> =>
  readRows(
    [isText, isText, isBytes],
    db.rows("SELECT name, type, content FROM outbox_attachments WHERE item = ? ORDER BY place", id)
  ).map(([name, type, content]) => ({ name, type, content }))

const attachmentInfos = (db: SqlConnection, id: string): NonNullable<OutboxItem["attachments"]> =>
  readRows(
    [isText, isText, isInteger],
    db.rows("SELECT name, type, size FROM outbox_attachments WHERE item = ? ORDER BY place", id)
  ).map(([name, type, size]) => ({ name, type, size }))

/** A message is done with: its words and attachments go, its id stays known. */
export const endMessage = (db: SqlConnection, id: string, at: number): void => {
  db.run(
    "UPDATE outbox_items SET state = 'done', text = '', error = NULL, bytes = 0, ended_at = ? WHERE id = ?",
    at,
    id
  )
  db.run("DELETE FROM outbox_attachments WHERE item = ?", id)
  db.run("DELETE FROM outbox_begins WHERE item = ?", id)
}

/** Forgets the ids of messages that were done with before that time. */
export const forgetDone = (db: SqlConnection, before: number): void => {
  db.run("DELETE FROM outbox_items WHERE ended_at < ?", before)
}

/** A message as the API shows it. */
export const itemOf = (db: SqlConnection, message: StoredMessage, position: number): OutboxItem => {
  const attachments = attachmentInfos(db, message.id)
  const { createdAt, error, gatewayId, id, mode, notBefore, runId, sessionKey, state, text } = message
  return {
    id,
    gatewayId,
    sessionKey,
    text,
    ...(attachments.length === 0 ? {} : { attachments }),
    mode,
    position,
    ...optionalEntry("notBefore", notBefore),
    createdAt,
    state,
    runId,
    ...optionalEntry("error", error?.message),
    ...whyOf(db, error?.message)
  }
}

/**
 * Messages to agents. The schema number isn't raised, because the version that a rollback restores doesn't need the
 * tables and would refuse a file with a newer number. The row of a finished message (`done`) keeps its id for a while, but
 * no text, so that a repeated request doesn't send it again.
 */
export const outboxAdditions = `
  CREATE TABLE IF NOT EXISTS outbox_items (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    gateway_id TEXT NOT NULL,
    session_key TEXT NOT NULL,
    text TEXT NOT NULL,
    mode TEXT NOT NULL,
    place INTEGER NOT NULL,
    not_before INTEGER,
    created_at INTEGER NOT NULL,
    state TEXT NOT NULL,
    run_id TEXT NOT NULL,
    error TEXT,
    sent_at INTEGER,
    gateway_started_at REAL,
    bytes INTEGER NOT NULL,
    ended_at INTEGER
  ) STRICT;
  CREATE INDEX IF NOT EXISTS outbox_items_open ON outbox_items (gateway_id, session_key, place) WHERE state <> 'done';
  CREATE INDEX IF NOT EXISTS outbox_items_ended ON outbox_items (ended_at) WHERE ended_at IS NOT NULL;
  CREATE TABLE IF NOT EXISTS outbox_attachments (
    item TEXT NOT NULL,
    place INTEGER NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    size INTEGER NOT NULL,
    content BLOB NOT NULL,
    PRIMARY KEY (item, place)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS outbox_begins (item TEXT PRIMARY KEY, begin TEXT NOT NULL) STRICT, WITHOUT ROWID;
`
