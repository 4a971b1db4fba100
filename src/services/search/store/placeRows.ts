import { isFinite, isInteger, isText, orNull, readRows } from "../../platform/sqlite/rowGuards.ts"
import type { SqlConnection } from "../../platform/sqlite/Sqlite.ts"
import { conversation, type SearchPlace } from "../searchTypes.ts"
import { discardKey, discardPlace, findPlace, openPlace } from "./entryRows.ts"
import type { SearchCounts } from "./searchMessages.ts"

export const readStamps = (db: SqlConnection, place: SearchPlace): ReadonlyMap<string, string> => {
  const id = findPlace(db, place)
  if (id === undefined) return new Map()
  return new Map(readRows([isText, isText], db.rows("SELECT key, stamp FROM entries WHERE place = ?", id)))
}

export const removeKeys = (db: SqlConnection, place: SearchPlace, keys: ReadonlyArray<string>): void => {
  const id = findPlace(db, place)
  if (id !== undefined) for (const key of keys) discardKey(db, id, key)
}

export const forgetPlace = (db: SqlConnection, place: SearchPlace): void => {
  const id = findPlace(db, place)
  if (id !== undefined) discardPlace(db, id)
}

export const keepOnly = (db: SqlConnection, place: SearchPlace, keys: ReadonlyArray<string>, added: number): void => {
  const id = findPlace(db, place)
  if (id === undefined) return
  const kept = new Set(keys)
  const known = readRows([isText], db.rows("SELECT key FROM entries WHERE place = ? AND added < ?", id, added))
  for (const [key] of known) if (!kept.has(key)) discardKey(db, id, key)
}

export const readConversations = (db: SqlConnection, gatewayId: string): ReadonlyMap<string, number | null> =>
  new Map(
    readRows(
      [isText, orNull(isFinite)],
      db.rows("SELECT name, read_to FROM places WHERE kind = 0 AND gateway = ?", gatewayId)
    )
  )

export const setReadTo = (db: SqlConnection, place: SearchPlace, readTo: number): void => {
  db.run("UPDATE places SET read_to = ? WHERE id = ?", readTo, openPlace(db, place))
}

export const setTitles = (
  db: SqlConnection,
  gatewayId: string,
  titles: ReadonlyArray<readonly [key: string, title: string]>
): void => {
  for (const [key, title] of titles) {
    const id = findPlace(db, conversation(gatewayId, key))
    if (id !== undefined) db.run("UPDATE places SET title = ? WHERE id = ?", title, id)
  }
}

const count = (db: SqlConnection, sql: string): number => readRows([isInteger], db.rows(sql))[0]?.[0] ?? 0

export const readCounts = (db: SqlConnection): SearchCounts => {
  const all = count(db, "SELECT COUNT(*) FROM entries")
  const documents = count(db, "SELECT COUNT(*) FROM places p JOIN entries e ON e.place = p.id WHERE p.kind > 0")
  const pages = count(db, "PRAGMA page_count")
  return { messages: all - documents, documents, bytes: pages * count(db, "PRAGMA page_size") }
}
