import { Schema } from "effect"
import { INBOX_KINDS } from "../../contract/inbox.ts"
import { type InboxItem, type InboxQuery, InboxQuestion, ITEM_STATES, RESOLVERS } from "../../contract/schema/inbox.ts"
import { optionalEntry } from "../platform/optionalEntry.ts"
import { isFinite, isOneOf, isText, orNull, type Row, readRows } from "../platform/sqlite/rowGuards.ts"
import type { SqlConnection, SqlValue } from "../platform/sqlite/Sqlite.ts"
import { keepWhy, whyOf } from "../platform/sqlite/storedWhys.ts"
import { actionsOf } from "./inboxRules.ts"

/**
 * What needs a person, and how it ended. `origin` and `source` name the thing where it comes from, such as an approval
 * and its id at the gateway; it gets one item, however often it is told. Not a schema number of its own: a version that
 * an update goes back to doesn't need the table, and would refuse a file with a newer number.
 */
export const inboxAdditions = `
  CREATE TABLE IF NOT EXISTS inbox_items (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    gateway_id TEXT NOT NULL,
    origin TEXT NOT NULL,
    source TEXT NOT NULL,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    detail TEXT,
    session_key TEXT,
    task_id TEXT,
    created_at REAL NOT NULL,
    expires_at REAL,
    questions TEXT,
    offers TEXT NOT NULL,
    state TEXT NOT NULL,
    action TEXT,
    ended_at REAL,
    ended_by TEXT,
    answer TEXT,
    UNIQUE (gateway_id, origin, source)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS inbox_items_state ON inbox_items (state, expires_at);
  CREATE INDEX IF NOT EXISTS inbox_items_ended ON inbox_items (ended_at) WHERE ended_at IS NOT NULL;
`

/** Where an item comes from. */
export interface ItemSource {
  readonly gatewayId: string
  readonly origin: string
  readonly source: string
}

/** An item that is to be opened. */
export interface ItemDraft
  extends ItemSource,
    Omit<InboxItem, "id" | "gatewayId" | "state" | "actions" | "resolution"> {
  /** Ids of the actions it offers. */
  readonly offers: ReadonlyArray<string>
}

/** An item with where it comes from. */
export interface StoredItem {
  readonly item: InboxItem
  readonly from: ItemSource
}

const COLUMNS = `id, gateway_id, origin, source, kind, title, detail, session_key, task_id, created_at, expires_at,
  questions, offers, state, action, ended_at, ended_by, answer`

const guards = [
  isText,
  isText,
  isText,
  isText,
  isOneOf(INBOX_KINDS),
  isText,
  orNull(isText),
  orNull(isText),
  orNull(isText),
  isFinite,
  orNull(isFinite),
  orNull(isText),
  isText,
  isOneOf(ITEM_STATES),
  orNull(isText),
  orNull(isFinite),
  orNull(isOneOf(RESOLVERS)),
  orNull(isText)
] as const

const decodeQuestions = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Array(InboxQuestion)))

const storedOf = (db: SqlConnection, row: Row<typeof guards>): StoredItem => {
  const [id, gatewayId, origin, source, kind, title, detail, sessionKey, taskId, createdAt, expiresAt, ...rest] = row
  const [questions, offers, state, action, at, by, answer] = rest
  return {
    from: { gatewayId, origin, source },
    item: {
      id,
      gatewayId,
      kind,
      title,
      ...optionalEntry("detail", detail),
      ...(kind === "failed" ? whyOf(db, detail ?? undefined) : {}),
      ...optionalEntry("sessionKey", sessionKey),
      ...optionalEntry("taskId", taskId),
      createdAt,
      ...optionalEntry("expiresAt", expiresAt),
      state,
      ...(questions === null ? {} : { questions: decodeQuestions(questions) }),
      actions: state === "open" ? actionsOf(kind, offers.split(",")) : [],
      ...(action === null || at === null || by === null
        ? {}
        : { resolution: { action, at, by, ...optionalEntry("answer", answer) } })
    }
  }
}

const storedItems = (db: SqlConnection, rest: string, ...params: ReadonlyArray<SqlValue>) =>
  readRows(guards, db.rows(`SELECT ${COLUMNS} FROM inbox_items ${rest}`, ...params)).map((row) => storedOf(db, row))

const count = (db: SqlConnection, where: string, ...params: ReadonlyArray<SqlValue>): number =>
  readRows([isFinite], db.rows(`SELECT count(*) FROM inbox_items ${where}`, ...params))[0]?.[0] ?? 0

export const findItem = (db: SqlConnection, id: string): StoredItem | undefined =>
  storedItems(db, "WHERE id = ?", id)[0]

export const findBySource = (db: SqlConnection, { gatewayId, origin, source }: ItemSource): StoredItem | undefined =>
  storedItems(db, "WHERE gateway_id = ? AND origin = ? AND source = ?", gatewayId, origin, source)[0]

/** The open items of an origin. */
export const openOf = (db: SqlConnection, gatewayId: string, origin: string): ReadonlyArray<StoredItem> =>
  storedItems(db, "WHERE state = 'open' AND gateway_id = ? AND origin = ?", gatewayId, origin)

/** The open items about a task. */
export const openOfTask = (db: SqlConnection, gatewayId: string, taskId: string): ReadonlyArray<StoredItem> =>
  storedItems(db, "WHERE state = 'open' AND gateway_id = ? AND task_id = ?", gatewayId, taskId)

/** The open items whose time was up at that time. */
export const openUntil = (db: SqlConnection, at: number): ReadonlyArray<StoredItem> =>
  storedItems(db, "WHERE state = 'open' AND expires_at <= ?", at)

/** When the next open item's time is up. */
export const nextDeadline = (db: SqlConnection): number | undefined =>
  readRows([orNull(isFinite)], db.rows("SELECT min(expires_at) FROM inbox_items WHERE state = 'open'"))[0]?.[0] ??
  undefined

/** Stores a new open item. */
export const insertItem = (db: SqlConnection, id: string, draft: ItemDraft): InboxItem => {
  const { detail: message, questions, why } = draft
  if (message !== undefined && why !== undefined) keepWhy(db, { message, why })
  db.run(
    `INSERT INTO inbox_items (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'open', NULL, NULL, NULL, NULL)`,
    id,
    draft.gatewayId,
    draft.origin,
    draft.source,
    draft.kind,
    draft.title,
    draft.detail ?? null,
    draft.sessionKey ?? null,
    draft.taskId ?? null,
    draft.createdAt,
    draft.expiresAt ?? null,
    questions === undefined ? null : JSON.stringify(questions),
    draft.offers.join(",")
  )
  const { gatewayId, kind, title } = draft
  return {
    id,
    gatewayId,
    kind,
    title,
    ...optionalEntry("detail", draft.detail),
    ...optionalEntry("why", draft.why),
    ...optionalEntry("sessionKey", draft.sessionKey),
    ...optionalEntry("taskId", draft.taskId),
    createdAt: draft.createdAt,
    ...optionalEntry("expiresAt", draft.expiresAt),
    state: "open",
    ...(questions === undefined ? {} : { questions }),
    actions: actionsOf(kind, draft.offers)
  }
}

/** Stores how an item ended. */
export const saveEnd = (db: SqlConnection, { id, state, resolution }: InboxItem): void => {
  if (resolution === undefined) return
  const { action, at, by, answer = null } = resolution
  db.run(
    "UPDATE inbox_items SET state = ?, action = ?, ended_at = ?, ended_by = ?, answer = ? WHERE id = ? AND state = 'open'",
    state,
    action,
    at,
    by,
    answer,
    id
  )
}

/** What ended at a gateway that was removed has nothing to do with one that gets the same id, which may ask the same. */
export const releaseSources = (db: SqlConnection, gatewayId: string): void => {
  db.run("UPDATE inbox_items SET source = source || ' ' || id WHERE gateway_id = ? AND ended_at IS NOT NULL", gatewayId)
}

/** Deletes what ended before that time. */
export const forgetEnded = (db: SqlConnection, before: number): void => {
  db.run("DELETE FROM inbox_items WHERE ended_at < ?", before)
}

/** One page: open items first, the earliest deadline first, then ended ones, the last ended first. */
export const listItems = (db: SqlConnection, { state, kinds, limit, offset }: InboxQuery) => {
  const states = { open: "state = 'open'", resolved: "state <> 'open'" }
  const conditions = [
    ...(state === undefined ? [] : [states[state]]),
    ...(kinds.length === 0 ? [] : [`kind IN (${kinds.map(() => "?").join(", ")})`])
  ]
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`
  const order = "ORDER BY ended_at IS NOT NULL, ended_at DESC, expires_at IS NULL, expires_at, created_at, seq"
  const found = storedItems(db, `${where} ${order} LIMIT ? OFFSET ?`, ...kinds, limit, offset)
  return {
    items: found.map(({ item }) => item),
    total: count(db, where, ...kinds),
    open: count(db, "WHERE state = 'open'")
  }
}
