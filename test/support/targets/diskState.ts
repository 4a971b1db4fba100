import { createHash } from "node:crypto"
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { DatabaseSync } from "node:sqlite"

const digest = (content: string | Buffer): string => createHash("sha256").update(content).digest("base64url")

/** Every row of every table, which a log that is written back doesn't change. The console keeps its databases locked. */
const rowsOf = (file: string): string => {
  const copies = mkdtempSync(join(tmpdir(), "agent-console-state-"))
  const copy = join(copies, "copy.db")
  for (const end of ["", "-wal"]) if (existsSync(file + end)) copyFileSync(file + end, copy + end)
  const database = new DatabaseSync(copy)
  try {
    const tables = database.prepare("SELECT name, type FROM sqlite_master WHERE type = 'table' ORDER BY name").all()
    return JSON.stringify(
      tables.map(({ name }) => [
        name,
        database
          .prepare(`SELECT * FROM "${name}"`)
          .all()
          .map((row) => JSON.stringify(row))
          .sort()
      ]),
      (_key, value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value)
    )
  } finally {
    database.close()
    rmSync(copies, { recursive: true })
  }
}

/** Everything below a folder: names, permissions and contents, of databases the rows. */
export const diskState = (folder: string): ReadonlyMap<string, string> => {
  const state = new Map<string, string>()
  const walk = (place: string) => {
    for (const name of readdirSync(place).sort()) {
      const path = join(place, name)
      const info = lstatSync(path)
      const mode = info.mode.toString(8)
      const key = relative(folder, path)
      if (info.isDirectory()) {
        state.set(key, mode)
        walk(path)
      } else if (info.isSymbolicLink()) state.set(key, `${mode} ${readlinkSync(path)}`)
      else if (/\.db-(?:wal|shm|journal)$/.test(name)) continue
      else if (name.endsWith(".db")) state.set(key, `${mode} ${digest(rowsOf(path))}`)
      else if (info.isFile()) state.set(key, `${mode} ${digest(readFileSync(path))}`)
      else state.set(key, mode)
    }
  }
  walk(folder)
  return state
}
