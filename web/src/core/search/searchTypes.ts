import type * as Answers from "../../../../src/contract/schema/search.ts"
import type { Shown } from "../common/decode.ts"

/** Something found, and where it is. */
export type SearchHit = Shown<Answers.SearchHit>

/** One answer to a search. */
export interface SearchPage {
  readonly hits: ReadonlyArray<SearchHit>
  /** Continues after the last hit; null at the end. */
  readonly cursor: string | null
  readonly isBuilding: boolean
  /** How far the index is, from 0 to 1; null if nobody knows. */
  readonly progress: number | null
  /** Why nothing new is taken into the index, in a sentence; null if it is. */
  readonly paused: string | null
}
