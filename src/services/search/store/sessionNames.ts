import { readFileSync, statSync } from "node:fs"
// Imported from its own module, so the thread starts without the rest of the library.
import * as Result from "effect/Result"
import { conversationTitle } from "../text/conversationTitle.ts"

/** What the gateway's list says about a transcript. */
export interface NamedSession {
  readonly key: string
  readonly title: string | undefined
}

/** The conversations of a folder by the names of their files; `undefined` if there's no list. */
export type SessionNames = ReadonlyMap<string, NamedSession> | undefined

const LIST = "sessions.json"

const textOf = (value: unknown, name: string): string | undefined => {
  const found: unknown = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined
  return typeof found === "string" && found.trim() !== "" ? found : undefined
}

const parseNames = (text: string): SessionNames => {
  const list = Result.getOrUndefined(Result.try((): unknown => JSON.parse(text)))
  if (typeof list !== "object" || list === null) return undefined
  const names = new Map<string, NamedSession>()
  for (const [key, entry] of Object.entries(list)) {
    const title = conversationTitle({
      key,
      label: textOf(entry, "label") ?? null,
      displayName: textOf(entry, "displayName") ?? null
    })
    const file = textOf(entry, "sessionFile")?.split("/").at(-1)
    const id = textOf(entry, "sessionId")
    if (file !== undefined) names.set(file, { key, title })
    if (id !== undefined) names.set(`${id}.jsonl`, { key, title })
  }
  return names
}

const known = new Map<string, { readonly mtimeMs: number; readonly names: SessionNames }>()

/** Reads the gateway's list of a folder's conversations; while it can't be read, what it said last. */
export const sessionNames = (folder: string): SessionNames => {
  const path = `${folder}/${LIST}`
  const info = statSync(path, { throwIfNoEntry: false })
  const last = known.get(folder)
  if (info === undefined) return undefined
  if (last?.mtimeMs === info.mtimeMs) return last.names
  const text = Result.getOrUndefined(Result.try(() => readFileSync(path, "utf8")))
  const names = (text === undefined ? undefined : parseNames(text)) ?? last?.names
  known.set(folder, { mtimeMs: info.mtimeMs, names })
  return names
}
