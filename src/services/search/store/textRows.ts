import { zstdCompressSync, zstdDecompressSync } from "node:zlib"
// Imported from its own module, so the thread starts without the rest of the library.
import * as Result from "effect/Result"
import { isBytes, isInteger, readRows } from "../../platform/sqlite/rowGuards.ts"
import type { SqlConnection } from "../../platform/sqlite/Sqlite.ts"

/** Shorter texts don't get smaller. */
const WORTH_PACKING = 200

export const saveText = (db: SqlConnection, id: number, text: string): void => {
  const plain = Buffer.from(text)
  const packed = plain.length >= WORTH_PACKING ? zstdCompressSync(plain) : plain
  const isPacked = packed.length < plain.length
  db.run("INSERT INTO texts VALUES (?, ?, ?)", id, isPacked ? 1 : 0, isPacked ? packed : plain)
}

/** What SQLite says of a damaged page; of one with texts, it can't tell. */
const CORRUPT = 11

const unpack = (body: Uint8Array): Buffer => {
  const unpacked = Result.try(() => zstdDecompressSync(body))
  if (Result.isSuccess(unpacked)) return unpacked.success
  throw Object.assign(new Error("a text of the search index is damaged"), { errcode: CORRUPT })
}

/** An entry's text; empty if it's gone. */
export const readText = (db: SqlConnection, id: number): string => {
  const [row] = readRows([isInteger, isBytes], db.rows("SELECT packed, body FROM texts WHERE id = ?", id))
  if (row === undefined) return ""
  const [packed, body] = row
  return (packed === 1 ? unpack(body) : Buffer.from(body)).toString("utf8")
}
