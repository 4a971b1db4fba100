import type { SearchKind } from "../../../src/contract/search.ts"
import { chatPath, pathSegment, taskPath } from "../base/routes.ts"
import { below } from "../core/common/basePath.ts"
import { withAgent } from "../core/knowledge/agentConnections.ts"
import { marksOf } from "../core/search/groupHits.ts"
import type { SearchHit } from "../core/search/SearchStore.ts"
import { kindOf } from "../sessions/sessionPresentation.ts"
import type { IconName } from "../ui/Icon.tsx"

const withQuery = (path: string, query: URLSearchParams): string => (query.size === 0 ? path : `${path}?${query}`)

/** A filtered page: the words that were found are what it is filtered by. */
const filtered = (path: string, hit: SearchHit): string => {
  const find = marksOf(hit).join(" ")
  return withQuery(path, new URLSearchParams(find === "" ? {} : { find }))
}

/** The document of a file such as `SOUL.md`. */
const documentKey = (path: string): string => (path.split("/").at(-1) ?? "").replace(/\.md$/i, "").toLowerCase()

/**
 * Where a hit leads: to the message itself, the card, or the page that shows what was found; null for a conversation
 * that the gateway doesn't list any more.
 */
export const hitPath = (hit: SearchHit): string | null => {
  switch (hit.kind) {
    case "message": {
      if (hit.sessionKey === null) return null
      const query = new URLSearchParams()
      if (hit.messageId !== null) query.set("message", hit.messageId)
      query.set("at", String(hit.at))
      for (const mark of marksOf(hit)) query.append("mark", mark)
      return withQuery(chatPath(hit.sessionKey), query)
    }
    case "task":
      return hit.taskId === null ? below("/board") : taskPath(hit.taskId)
    case "memory":
      return withAgent(filtered(below("/knowledge/memory"), hit), hit.agent)
    case "document":
      return withAgent(below(`/knowledge/documents/${pathSegment(documentKey(hit.path ?? ""))}`), hit.agent)
    case "log":
      return filtered(below("/operations/log"), hit)
  }
}

/** The icon of each kind of hit, as the screen it opens has it. */
export const HIT_ICONS: Readonly<Record<SearchKind, IconName>> = {
  message: kindOf("chat").icon,
  task: "kanban",
  memory: "brain",
  document: "file",
  log: "activity"
}

/** The address of a search. */
export const searchPath = (text: string): string =>
  below(text.trim() === "" ? "/search" : `/search?${new URLSearchParams({ q: text })}`)
