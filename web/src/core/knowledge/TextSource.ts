import type { ApiFailure, ApiResult } from "../link/apiTypes.ts"

/** A stored text, with a version that identifies this state of it. */
export interface StoredText {
  readonly text: string
  readonly version: string
}

/** Where an edited text comes from and goes to. */
export interface TextSource {
  /** Unique among all texts; unsaved text is kept under it. */
  readonly key: string
  /** A `not_found` failure means it doesn't exist yet, or no longer does. */
  read(): Promise<ApiResult<StoredText>>
  /** Saves a text based on `version` (null: on nothing); a `conflict` failure if that has changed. */
  write(text: string, version: string | null): Promise<ApiResult<string>>
}

/** Failures that describe the thing requested rather than a failed request. */
export const isUnreadable = ({ kind }: ApiFailure): boolean => kind === "invalid" || kind === "too_large"
