import { Result, Schema } from "effect"
import { INBOX_KINDS } from "../../contract/inbox.ts"
import type { InboxItem } from "../../contract/schema/inbox.ts"
import type { SqlConnection, SqliteShape } from "../platform/sqlite/Sqlite.ts"

/** The state of a delivery; one that ended as `sending` may have arrived. */
const DeliveryState = Schema.Literals(["sending", "sent", "none"])
export type DeliveryState = typeof DeliveryState.Type

const Row = Schema.Struct({
  item: Schema.String,
  device: Schema.String,
  kind: Schema.Literals(INBOX_KINDS),
  state: DeliveryState
})
const decodeRows = Schema.decodeUnknownSync(Schema.Array(Row))

/** The record of an item and a device: being sent, sent, or not to be sent. */
export type Delivery = typeof Row.Type

const TryRow = Schema.Struct({
  tries: Schema.Int,
  tried_at: Schema.Int,
  pause_ms: Schema.Int,
  unclear: Schema.Int
})
const decodeTry = Schema.decodeUnknownSync(TryRow)

const decodePlaces = Schema.decodeUnknownSync(
  Schema.Array(Schema.Struct({ item: Schema.String, device: Schema.String }))
)

/** The attempts of an unfinished delivery. */
export interface Tries {
  /** The number of started attempts, including one that a restart interrupted. */
  readonly tries: number
  /** When the last attempt began or ended (epoch milliseconds), and the pause before the next one. */
  readonly triedAt: number
  readonly pauseMs: number
  /** Whether one of them may have arrived. */
  readonly isUnclear: boolean
}

/** The record of a delivery: none, finished, or the attempts so far. */
export type Noted = "nothing" | "decided" | Tries

const keep = (db: SqlConnection, item: string, device: string, { tries, triedAt, pauseMs, isUnclear }: Tries) =>
  db.run(
    "INSERT OR REPLACE INTO push_tries VALUES (?, ?, ?, ?, ?, ?)",
    item,
    device,
    tries,
    triedAt,
    pauseMs,
    isUnclear ? 1 : 0
  )

const drop = (db: SqlConnection, item: string, device: string) =>
  db.run("DELETE FROM push_tries WHERE item = ? AND device = ?", item, device)

const isKnown = (db: SqlConnection, item: string, device: string) =>
  db.get("SELECT 1 FROM push_deliveries WHERE item = ? AND device = ?", item, device) !== undefined

const triesOf = (db: SqlConnection, item: string, device: string): Tries | undefined => {
  const row = db.get("SELECT * FROM push_tries WHERE item = ? AND device = ?", item, device)
  if (row === undefined) return undefined
  const { tries, tried_at, pause_ms, unclear } = decodeTry(row)
  return { tries, triedAt: tried_at, pauseMs: pause_ms, isUnclear: unclear === 1 }
}

/** A notification that can't have arrived isn't withdrawn. */
const withTries = (db: SqlConnection, deliveries: ReadonlyArray<Delivery>): ReadonlyArray<Delivery> =>
  deliveries.map((delivery) =>
    triesOf(db, delivery.item, delivery.device)?.isUnclear === false ? { ...delivery, state: "none" } : delivery
  )

/**
 * The deliveries, which survive a restart: a confirmed one isn't repeated, an unfinished one is retried, and every
 * recipient that got an item also gets its end.
 */
export const deliveryStore = (sqlite: SqliteShape) => ({
  noted: (item: string, device: string) =>
    sqlite.read((db): Noted => {
      const tries = triesOf(db, item, device)
      return tries ?? (isKnown(db, item, device) ? "decided" : "nothing")
    }),
  /** Records that an item is being sent to a device, with the attempts. */
  trying: ({ id, kind }: Pick<InboxItem, "id" | "kind">, device: string, tries: Tries) =>
    sqlite.transaction((db) => {
      if (!isKnown(db, id, device)) db.run("INSERT INTO push_deliveries VALUES (?, ?, ?, 'sending')", id, device, kind)
      keep(db, id, device, tries)
      return Result.void
    }),
  /** Records the final state; the delivery isn't retried. */
  settle: (item: string, device: string, state: DeliveryState) =>
    sqlite.transaction((db) => {
      db.run("UPDATE push_deliveries SET state = ? WHERE item = ? AND device = ?", state, item, device)
      drop(db, item, device)
      return Result.void
    }),
  /** Records that an item isn't sent to a device that hasn't received it. */
  skip: ({ id, kind }: Pick<InboxItem, "id" | "kind">, device: string) =>
    sqlite.transaction((db) => {
      db.run("INSERT OR REPLACE INTO push_deliveries VALUES (?, ?, ?, 'none')", id, device, kind)
      drop(db, id, device)
      return Result.void
    }),
  /** The unfinished deliveries. */
  undecided: sqlite.read((db) => decodePlaces(db.all("SELECT item, device FROM push_tries"))),
  forget: (item: string, device: string) =>
    sqlite.transaction((db) => {
      db.run("DELETE FROM push_deliveries WHERE item = ? AND device = ?", item, device)
      drop(db, item, device)
      return Result.void
    }),
  of: (item: string) =>
    sqlite.read((db) => withTries(db, decodeRows(db.all("SELECT * FROM push_deliveries WHERE item = ?", item)))),
  all: sqlite.read((db) => decodeRows(db.all("SELECT * FROM push_deliveries")))
})

/**
 * The tables of devices, deliveries, unfinished deliveries, and each device's refusals and key. The schema number isn't
 * raised, because the version that a rollback restores doesn't need them and would refuse a file with a newer number.
 */
export const pushAdditions = `
  CREATE TABLE IF NOT EXISTS push_devices (
    id TEXT PRIMARY KEY,
    endpoint TEXT NOT NULL UNIQUE,
    p256dh TEXT NOT NULL,
    auth TEXT NOT NULL,
    label TEXT NOT NULL,
    kinds TEXT NOT NULL,
    quiet TEXT,
    private INTEGER NOT NULL,
    direct_allow INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    last_sent_at INTEGER,
    last_error TEXT
  ) STRICT;

  CREATE TABLE IF NOT EXISTS push_deliveries (
    item TEXT NOT NULL,
    device TEXT NOT NULL,
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    PRIMARY KEY (item, device)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE IF NOT EXISTS push_tries (
    item TEXT NOT NULL,
    device TEXT NOT NULL,
    tries INTEGER NOT NULL,
    tried_at INTEGER NOT NULL,
    pause_ms INTEGER NOT NULL,
    unclear INTEGER NOT NULL,
    PRIMARY KEY (item, device)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE IF NOT EXISTS push_standing (
    device TEXT PRIMARY KEY,
    refusals INTEGER NOT NULL,
    public_key TEXT
  ) STRICT, WITHOUT ROWID;
`
