import type * as Answers from "../../../../src/contract/answers/SearchAnswers.ts"
import { SEARCH_KINDS, SEARCH_ROLES } from "../../../../src/contract/answers/SearchAnswers.ts"
import { qualifiedKey } from "../../../../src/contract/qualifiedKey.ts"
import { filledText, numberOf, recordOf, recordsOf } from "../common/decode.ts"
import type { SearchHit, SearchPage } from "./searchTypes.ts"

const partsOf = (value: unknown): SearchHit["snippet"] =>
  recordsOf<Answers.SearchSnippetPart>(value).flatMap(({ text, hit }) =>
    typeof text === "string" && text !== "" ? [{ text, hit: hit === true }] : []
  )

/** Reads the answer to a search, without hits of kinds this page doesn't know; null if it isn't one. */
export const decodeSearch = (body: unknown): SearchPage | null => {
  const page = recordOf<Answers.SearchPage>(body)
  if (page === null || !Array.isArray(page.hits)) return null
  const progress = numberOf(page.progress)
  return {
    hits: recordsOf<Answers.SearchHit>(page.hits).flatMap((fields) => {
      const kind = SEARCH_KINDS.find((known) => known === fields.kind)
      if (kind === undefined) return []
      const gatewayId = filledText(fields.gatewayId) ?? ""
      const sessionKey = filledText(fields.sessionKey)
      return [
        {
          kind,
          gatewayId,
          agent: filledText(fields.agent),
          sessionKey: sessionKey && qualifiedKey(gatewayId || "primary", sessionKey),
          sessionTitle: filledText(fields.sessionTitle),
          messageId: filledText(fields.messageId),
          taskId: filledText(fields.taskId),
          title: filledText(fields.title),
          path: filledText(fields.path),
          at: numberOf(fields.at) ?? 0,
          role: SEARCH_ROLES.find((known) => known === fields.role) ?? null,
          snippet: partsOf(fields.snippet)
        }
      ]
    }),
    cursor: filledText(page.cursor),
    isBuilding: page.state === "building",
    progress: progress === null ? null : Math.min(1, Math.max(0, progress)),
    paused: filledText(page.paused)
  }
}
