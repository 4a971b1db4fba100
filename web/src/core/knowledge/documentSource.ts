import { textVersion } from "../../../../src/services/files/textVersion.ts"
import { fieldsOf, textOf } from "../decode.ts"
import type { ApiClient } from "../types.ts"
import type { TextSource } from "./TextSource.ts"

const versionOf = (body: unknown): string | null => textOf(fieldsOf(body).version)

const storedOf = (body: unknown) => {
  const content = textOf(fieldsOf(body).content)
  return content === null ? null : { text: content, version: textVersion(content) }
}

/** One of the six documents of the workspace (SPEC "Workspace files"). */
export const documentSource = (api: ApiClient, key: string): TextSource => {
  const path = `/api/workspace/${encodeURIComponent(key)}`
  return {
    key: `document:${key}`,
    read: () => api.request("GET", path, storedOf),
    write: async (content, version) => {
      const result = await api.request("PUT", path, versionOf, { body: { content, version } })
      if (result.ok || result.error.kind !== "too_large") return result
      return { ok: false, error: { ...result.error, message: "A document may have at most 100 KB." } }
    }
  }
}

/** The content of one section of the memory, of the long-term file or of a day (SPEC "Memories"). */
export const memorySource = (api: ApiClient, title: string, date: string | null): TextSource => {
  const day = date === null ? {} : { date }
  const query = new URLSearchParams({ title, ...day })
  return {
    key: `memory:${date ?? ""}:${title}`,
    read: () => api.request("GET", `/api/memories/section?${query}`, storedOf),
    write: (content, version) =>
      api.request("PUT", "/api/memories/section", versionOf, { body: { title, content, ...day, version } })
  }
}
