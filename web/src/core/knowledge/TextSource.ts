import type { ApiFailure, ApiResult } from "../types.ts"

/** A text as it is stored, with what tells this state of it from every other. */
export interface StoredText {
  readonly text: string
  readonly version: string
}

/** Where an edited text comes from and goes to. */
export interface TextSource {
  /** Tells it from every other text; unsaved text is kept under it. */
  readonly key: string
  /** A `not_found` failure means there is none yet, or no more. */
  read(): Promise<ApiResult<StoredText>>
  /** Stores a text that was made from `version` (null: from nothing); a `conflict` failure when that has changed. */
  write(text: string, version: string | null): Promise<ApiResult<string>>
}

/** Failures that say what a thing is, not that asking went wrong. */
export const isUnreadable = ({ kind }: ApiFailure): boolean => kind === "invalid" || kind === "too_large"
