import { Schema } from "effect"
import { SEARCH_KINDS, SEARCH_ROLES } from "../search.ts"
import { body, flag, oneOf, required } from "./fields.ts"

const state = {
  state: Schema.Literals(["ready", "building"]),
  progress: Schema.optionalKey(Schema.Finite),
  anew: Schema.optionalKey(Schema.String),
  paused: Schema.optionalKey(Schema.String)
}

/** Something that was found. */
export const SearchHit = Schema.Struct({
  kind: Schema.Literals(SEARCH_KINDS),
  gatewayId: Schema.String,
  agent: Schema.optionalKey(Schema.String),
  sessionKey: Schema.optionalKey(Schema.String),
  sessionTitle: Schema.optionalKey(Schema.String),
  messageId: Schema.optionalKey(Schema.String),
  taskId: Schema.optionalKey(Schema.String),
  title: Schema.optionalKey(Schema.String),
  path: Schema.optionalKey(Schema.String),
  at: Schema.Finite,
  role: Schema.optionalKey(Schema.Literals(SEARCH_ROLES)),
  snippet: Schema.Array(Schema.Struct({ text: Schema.String, hit: Schema.Boolean }))
}).annotate({ identifier: "SearchHit" })
export type SearchHit = typeof SearchHit.Type

/** Where nothing was found: a word that occurs nowhere, and words that do and are written almost like it. */
export const NearestWords = Schema.Struct({
  word: Schema.String,
  instead: Schema.Array(Schema.String)
}).annotate({ identifier: "NearestWords" })
export type NearestWords = typeof NearestWords.Type

export const SearchPage = Schema.Struct({
  hits: Schema.Array(SearchHit),
  cursor: Schema.optionalKey(Schema.String),
  nearest: Schema.optionalKey(Schema.Array(NearestWords)),
  ...state
})
export type SearchPage = typeof SearchPage.Type

export const SearchIndex = Schema.Struct({
  ...state,
  messages: Schema.optionalKey(Schema.Int),
  documents: Schema.optionalKey(Schema.Int),
  bytes: Schema.optionalKey(Schema.Finite),
  toolOutput: Schema.Boolean
}).annotate({ identifier: "SearchIndex" })
export type SearchIndex = typeof SearchIndex.Type

/** What can be set. */
export const SearchChoices = body({ toolOutput: required(flag) })
export type SearchChoices = typeof SearchChoices.Type

export const SearchKind = oneOf(SEARCH_KINDS)
