import { Schema } from "effect"
import { INBOX_KINDS, type InboxKind } from "../../contract/inbox.ts"
import { type InboxItem, type InboxQuery, InboxQuestion, ITEM_STATES, RESOLVERS } from "../../contract/schema/inbox.ts"
import { optionalEntry } from "../platform/optionalEntry.ts"
import { isFinite, orNull, readRows } from "../platform/sqlite/rowGuards.ts"
import type { SqlConnection, SqlValue } from "../platform/sqlite/Sqlite.ts"
import { storeWhy, whyOf } from "../platform/sqlite/storedWhys.ts"
import { insertInto, json, oneOf, optional, real, table, text } from "../platform/sqlite/table.ts"
import { actionsOf } from "./inboxRules.ts"

/**
 * The items that need a person, and how they ended. `origin` and `source` identify the cause, such as an approval and its
 * id at the gateway; it gets one item, however often it's reported. The schema number isn't raised, because the version
 * that a rollback restores doesn't need the table and would refuse a file with a newer number.
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

/** Identifies an item's cause. */
export interface ItemKey {
  readonly gatewayId: string
  readonly origin: string
  readonly source: string
}

/** An item to open. */
export interface ItemDraft extends ItemKey, Omit<InboxItem, "id" | "gatewayId" | "state" | "actions" | "resolution"> {
  /** Ids of the actions it offers. */
  readonly offers: ReadonlyArray<string>
}

/** An item with its key. */
export interface StoredItem {
  readonly item: InboxItem
  readonly from: ItemKey
}

const ITEM = table("inbox_items", {
  id: text,
  gatewayId: text,
  origin: text,
  source: text,
  kind: oneOf(INBOX_KINDS),
  title: text,
  detail: optional(text),
  sessionKey: optional(text),
  taskId: optional(text),
  createdAt: real,
  expiresAt: optional(real),
  questions: optional(json(Schema.Array(InboxQuestion))),
  offers: text,
  state: oneOf(ITEM_STATES),
  action: optional(text),
  endedAt: optional(real),
  endedBy: optional(oneOf(RESOLVERS)),
  answer: optional(text)
})

/** The kinds whose texts may be sentences of the console. */
const HAS_WHY: ReadonlySet<InboxKind> = new Set(["failed", "budget", "blocked"])

/** Titles have their codes apart: a card may be called as some sentence is. */
const keyOfTitle = (title: string): string => `title: ${title}`

const whysOf = (db: SqlConnection, { detail, title }: Pick<InboxItem, "detail" | "title">) => ({
  ...optionalEntry("titleWhy", whyOf(db, keyOfTitle(title)).why),
  ...whyOf(db, detail)
})

const storedOf = (db: SqlConnection, row: unknown): StoredItem => {
  const { origin, source, offers, action, endedAt, endedBy, answer, ...item } = ITEM.read(row)
  return {
    from: { gatewayId: item.gatewayId, origin, source },
    item: {
      ...item,
      ...(HAS_WHY.has(item.kind) ? whysOf(db, item) : {}),
      actions: item.state === "open" ? actionsOf(item.kind, offers.split(",")) : [],
      ...(action === undefined || endedAt === undefined || endedBy === undefined
        ? {}
        : { resolution: { action, at: endedAt, by: endedBy, ...optionalEntry("answer", answer) } })
    }
  }
}

const storedItems = (db: SqlConnection, rest: string, ...params: ReadonlyArray<SqlValue>) =>
  db.rows(`SELECT ${ITEM.selected()} FROM inbox_items ${rest}`, ...params).map((row) => storedOf(db, row))

const count = (db: SqlConnection, where: string, ...params: ReadonlyArray<SqlValue>): number =>
  readRows([isFinite], db.rows(`SELECT count(*) FROM inbox_items ${where}`, ...params))[0]?.[0] ?? 0

export const findItem = (db: SqlConnection, id: string): StoredItem | undefined =>
  storedItems(db, "WHERE id = ?", id)[0]

export const findBySource = (db: SqlConnection, { gatewayId, origin, source }: ItemKey): StoredItem | undefined =>
  storedItems(db, "WHERE gateway_id = ? AND origin = ? AND source = ?", gatewayId, origin, source)[0]

/** The open items of an origin. */
export const openOf = (db: SqlConnection, gatewayId: string, origin: string): ReadonlyArray<StoredItem> =>
  storedItems(db, "WHERE state = 'open' AND gateway_id = ? AND origin = ?", gatewayId, origin)

/** The same of all gateways. */
export const openWithOrigin = (db: SqlConnection, origin: string): ReadonlyArray<StoredItem> =>
  storedItems(db, "WHERE state = 'open' AND origin = ?", origin)

/** The open items about a task. */
export const openOfTask = (db: SqlConnection, gatewayId: string, taskId: string): ReadonlyArray<StoredItem> =>
  storedItems(db, "WHERE state = 'open' AND gateway_id = ? AND task_id = ?", gatewayId, taskId)

/** The open items that had expired at that time. */
export const openUntil = (db: SqlConnection, at: number): ReadonlyArray<StoredItem> =>
  storedItems(db, "WHERE state = 'open' AND expires_at <= ?", at)

/** When the next open item expires. */
export const nextDeadline = (db: SqlConnection): number | undefined =>
  readRows([orNull(isFinite)], db.rows("SELECT min(expires_at) FROM inbox_items WHERE state = 'open'"))[0]?.[0] ??
  undefined

/** Stores a new open item. */
export const insertItem = (db: SqlConnection, id: string, draft: ItemDraft): InboxItem => {
  const { origin: _, source: __, offers, ...content } = draft
  const { detail: message, kind, title, titleWhy, why } = draft
  if (message !== undefined && why !== undefined) storeWhy(db, { message, why })
  if (titleWhy !== undefined) storeWhy(db, { message: keyOfTitle(title), why: titleWhy })
  const row = { ...draft, id, offers: offers.join(","), state: "open" } as const
  db.run(insertInto("inbox_items", ITEM.names), ...ITEM.values(row))
  return { ...content, id, state: "open", actions: actionsOf(kind, offers) }
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

/** Frees the keys of a removed gateway's items: another gateway may get its id and use the same keys. */
export const releaseSources = (db: SqlConnection, gatewayId: string): void => {
  db.run("UPDATE inbox_items SET source = source || ' ' || id WHERE gateway_id = ? AND ended_at IS NOT NULL", gatewayId)
}

/** Deletes items that ended before that time. */
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
