import { Result, Schema } from "effect"
import { INBOX_KINDS, type InboxItem } from "../../contract/answers/InboxAnswers.ts"
import type { SqliteShape } from "../platform/sqlite/Sqlite.ts"

/** How far a delivery has come. What's on its way when the console ends may have arrived. */
const DeliveryState = Schema.Literals(["sending", "sent", "none"])
export type DeliveryState = typeof DeliveryState.Type

const Row = Schema.Struct({
  item: Schema.String,
  device: Schema.String,
  kind: Schema.Literals(INBOX_KINDS),
  state: DeliveryState
})
const decodeRows = Schema.decodeUnknownSync(Schema.Array(Row))

/** An item that is being or was sent to a device, or isn't to be sent. */
export type Delivery = typeof Row.Type

/**
 * What was sent to whom, which outlasts a restart: nothing is sent twice, and whoever was told of an item is told of
 * its end.
 */
export const deliveryStore = (sqlite: SqliteShape) => ({
  /** Notes that an item is about to be sent to a device, or isn't to be; false if it was noted before. */
  claim: ({ id, kind }: Pick<InboxItem, "id" | "kind">, device: string, state: DeliveryState) =>
    sqlite.transaction((db) => {
      const known = db.get("SELECT 1 FROM push_deliveries WHERE item = ? AND device = ?", id, device)
      if (known === undefined) db.run("INSERT INTO push_deliveries VALUES (?, ?, ?, ?)", id, device, kind, state)
      return Result.succeed(known === undefined)
    }),
  settle: (item: string, device: string, state: DeliveryState) =>
    sqlite.transaction((db) => {
      db.run("UPDATE push_deliveries SET state = ? WHERE item = ? AND device = ?", state, item, device)
      return Result.void
    }),
  forget: (item: string, device: string) =>
    sqlite.transaction((db) => {
      db.run("DELETE FROM push_deliveries WHERE item = ? AND device = ?", item, device)
      return Result.void
    }),
  of: (item: string) => sqlite.read((db) => decodeRows(db.all("SELECT * FROM push_deliveries WHERE item = ?", item))),
  all: sqlite.read((db) => decodeRows(db.all("SELECT * FROM push_deliveries")))
})
