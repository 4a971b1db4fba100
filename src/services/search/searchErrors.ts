import { Schema } from "effect"
import { failureFields } from "../../contract/schema/failure.ts"
import type { StoreFailureReason } from "../platform/sqlite/Sqlite.ts"
import { StoreThreadError } from "../platform/thread/storeThread.ts"

/** The index can't be used right now; `message` is for people. */
export class SearchUnavailable extends Schema.TaggedError<SearchUnavailable>()("SearchUnavailable", failureFields) {}

/** There's no gateway with that id. */
export class UnknownSearchGateway extends Schema.TaggedError<UnknownSearchGateway>()("UnknownSearchGateway", {}) {}

/** The request is invalid. */
export class InvalidSearch extends Schema.TaggedError<InvalidSearch>()("InvalidSearch", failureFields) {}

type Reason = typeof StoreFailureReason.Type

const FILE = "search.db in the console's own folder"

export const WITHOUT_ROOM =
  "there's too little room on the disk, so what's new isn't found: free up some space, and indexing continues automatically"
const LOCKED = `another program has locked the search index (${FILE}): close that program, and indexing continues within a minute`
const UNWRITABLE = `the console can't write the search index (${FILE}): let its user read and write that file and folder, and indexing continues within a minute`
const UNUSABLE = `the console can't use the search index (${FILE}): check that its user can read and write it, and see the console's log for the cause; the console tries again every minute`

const isStoreFailure = Schema.is(StoreThreadError)

/** The reason why indexing is paused, and what to do; `undefined` for failures that are repaired automatically. */
export const pauseOf = (error: unknown): string | undefined => {
  if (!isStoreFailure(error)) return undefined
  switch (error.reason) {
    case "disk_full":
      return WITHOUT_ROOM
    case "busy":
      return LOCKED
    case "read_only":
      return UNWRITABLE
    case "other":
      return UNUSABLE
    default:
      return undefined
  }
}

/** Why an index is rebuilt: a failure of its file, or `gone` if it was deleted. */
export type AnewReason = Reason | "gone"

/** The same as a clause after "because". */
export const anewText = (reason: AnewReason): string => {
  switch (reason) {
    case "damaged":
      return "its file was damaged"
    case "newer":
      return "its file was of a newer version of Agent Console"
    case "gone":
      return "its file was gone"
    default:
      return "its file couldn't be read"
  }
}

/** Why the search is unavailable. */
export const unavailableText = (error: StoreThreadError): string =>
  error.reason === "damaged"
    ? "the search index was damaged and is being rebuilt: try again in a moment"
    : (pauseOf(error) ?? `the search can't be used right now: ${error.message}`)
