import { parentPort } from "node:worker_threads"
import type { ScanAnswer, ScanRequest } from "./scanMessages.ts"
import { TranscriptIndex } from "./TranscriptIndex.ts"
import type { TranscriptChange } from "./TranscriptState.ts"

/** Rows in one message: few enough that storing them does not hold up the console. */
const BATCH_ROWS = 100

let index = new TranscriptIndex({ states: [], sessions: [] })

const answer = (message: ScanAnswer): void => parentPort?.postMessage(message)

const scan = ({ folders, seed }: ScanRequest): void => {
  if (seed !== undefined) index = new TranscriptIndex(seed)
  let changes: Array<TranscriptChange> = []
  let rows = 0
  const flush = () => {
    if (changes.length > 0) answer({ type: "changes", changes })
    changes = []
    rows = 0
  }
  const gone = folders.flatMap((folder) =>
    index.scan(folder, (change) => {
      changes.push(change)
      rows += 1 + change.rows.length
      if (rows >= BATCH_ROWS) flush()
    })
  )
  flush()
  answer({ type: "end", gone })
}

// The thread that reads transcripts, so that a gigabyte of them never holds up the console.
parentPort?.on("message", scan)
