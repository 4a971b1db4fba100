import { PRIMARY, qualifiedKey } from "../../../../src/contract/qualifiedKey.ts"
import type * as Answers from "../../../../src/contract/schema/search.ts"
import type { Absent } from "../common/decode.ts"
import type { SearchHit, SearchPage } from "./searchTypes.ts"

const NOT_IN_HIT: Absent<Answers.SearchHit> = {
  agent: null,
  sessionKey: null,
  sessionTitle: null,
  messageId: null,
  taskId: null,
  title: null,
  path: null,
  role: null
}

const hitOf = (hit: Answers.SearchHit): SearchHit => ({
  ...NOT_IN_HIT,
  ...hit,
  sessionKey: hit.sessionKey === undefined ? null : qualifiedKey(hit.gatewayId || PRIMARY, hit.sessionKey)
})

/** Reads the answer to a search. */
export const readSearch = ({ cursor, hits, paused, progress, state }: Answers.SearchPage): SearchPage => ({
  hits: hits.map(hitOf),
  cursor: cursor ?? null,
  isBuilding: state === "building",
  progress: progress ?? null,
  paused: paused ?? null
})
