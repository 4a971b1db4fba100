import type { Answers } from "../../../../src/contract/answers/Answers.ts"
import { fieldsOf, numberOf } from "../common/decode.ts"
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
    api.request("GET", `/api/files/read?${pathQuery(path)}`, (body) => {
      const { content, mtime } = fieldsOf<Answers["GET /api/files/read"]>(body)
      return typeof content === "string" && typeof mtime === "number" ? { text: content, version: String(mtime) } : null
    }),
  write: (text, version) =>
    api.request(
      "POST",
      "/api/files/write",
      (body) => {
        const mtime = numberOf(fieldsOf<Answers["POST /api/files/write"]>(body).mtime)
        return mtime === null ? null : String(mtime)
      },
      { body: { path, content: text, mtime: version === null ? 0 : Number(version) }, timeoutMs: SAVE_LIMIT }
    )
})

const PREFIX = "file:"

/** Key of a file's unsaved text. */
export const fileKey = (path: string): string => PREFIX + path

/** The path in a file's key; null for any other key. */
export const pathOfKey = (key: string): string | null => (key.startsWith(PREFIX) ? key.slice(PREFIX.length) : null)
