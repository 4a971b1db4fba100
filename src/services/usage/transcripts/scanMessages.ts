import type { GoneTranscript, IndexSeed } from "./TranscriptIndex.ts"
import type { TranscriptChange, TranscriptFolder } from "./TranscriptState.ts"

/** What the console asks the scanning thread. */
export interface ScanRequest {
  readonly folders: ReadonlyArray<TranscriptFolder>
  /** With the first request only. */
  readonly seed?: IndexSeed
}

/** What the scanning thread answers: any number of changes, then one end. */
export type ScanAnswer =
  | { readonly type: "changes"; readonly changes: ReadonlyArray<TranscriptChange> }
  | { readonly type: "end"; readonly gone: ReadonlyArray<GoneTranscript> }
