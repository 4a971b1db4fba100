import type { VersionedText } from "../../../../src/contract/schema/knowledge.ts"
import { say } from "../language/say.ts"
import type { ApiClient } from "../link/apiTypes.ts"
import type { TextSource } from "./TextSource.ts"

const versionOf = ({ version }: VersionedText): string => version
const storedOf = ({ content, version }: VersionedText) => ({ text: content, version })

/** One of the six documents of the workspace. */
export const documentSource = (api: ApiClient, key: string): TextSource => {
  const path = `/api/workspace/${encodeURIComponent(key)}`
  return {
    key: `document:${key}`,
    read: () => api.request("GET", path, storedOf),
    write: async (content, version) => {
      const result = await api.request("PUT", path, versionOf, { body: { content, version } })
      if (result.ok || result.error.kind !== "too_large") return result
      return { ok: false, error: { ...result.error, message: say("Documents can't be larger than 100 KB.") } }
    }
  }
}

/** The content of one memory section, in the long-term file or a day. */
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
