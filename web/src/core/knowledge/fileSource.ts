import type { FileText, SavedFile } from "../../../../src/contract/schema/files.ts"
import type { ApiClient } from "../link/apiTypes.ts"
import type { TextSource } from "./TextSource.ts"

/** Query of a route that takes the path of a file. */
export const pathQuery = (path: string): string => `path=${encodeURIComponent(path)}`

/** Saving two megabytes over a slow connection takes a while, in milliseconds. */
const SAVE_LIMIT = 60_000

/** A text file of the workspace; its version is its modification time. */
export const fileSource = (api: ApiClient, path: string): TextSource => ({
  key: fileKey(path),
  read: () =>
    api.request("GET", `/api/files/read?${pathQuery(path)}`, ({ content, mtime }: FileText) => ({
      text: content,
      version: String(mtime)
    })),
  write: (text, version) =>
    api.request("POST", "/api/files/write", ({ mtime }: SavedFile) => String(mtime), {
      body: { path, content: text, mtime: version === null ? 0 : Number(version) },
      timeoutMs: SAVE_LIMIT
    })
})

const PREFIX = "file:"

/** Key of a file's unsaved text. */
export const fileKey = (path: string): string => PREFIX + path

/** The path in a file's key; null for any other key. */
export const pathOfKey = (key: string): string | null => (key.startsWith(PREFIX) ? key.slice(PREFIX.length) : null)
