import { Worker } from "node:worker_threads"
import { Cause, Effect, Queue, Schema } from "effect"
import type { ScanAnswer, ScanRequest } from "./scanMessages.ts"

/** The scanning thread stopped before it answered. */
export class ScanThreadLost extends Schema.TaggedError<ScanThreadLost>()("ScanThreadLost", {
  cause: Schema.Defect()
}) {}

/** From the sources the thread is the file beside this one; the build puts it beside the command line. */
const SCRIPT = new URL(import.meta.url.endsWith(".ts") ? "./scanThread.ts" : "../usageThread.js", import.meta.url)

/** The thread that reads transcripts, until the scope closes. */
export interface TranscriptThread {
  /** Sends a request; its answers come out of `answers`. */
  readonly ask: (request: ScanRequest) => Effect.Effect<void>
  readonly answers: Queue.Dequeue<ScanAnswer, ScanThreadLost>
}

type Answers = Queue.Queue<ScanAnswer, ScanThreadLost>

const lose = (answers: Answers, cause: unknown) =>
  Queue.failCauseUnsafe(answers, Cause.fail(new ScanThreadLost({ cause })))

/** Starts the thread in the surrounding scope. */
export const startTranscriptThread = Effect.fn("startTranscriptThread")(function* () {
  const answers = yield* Queue.unbounded<ScanAnswer, ScanThreadLost>()
  const worker = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const made = new Worker(SCRIPT, { execArgv: [], name: "transcripts" })
      made.on("message", (answer: ScanAnswer) => Queue.offerUnsafe(answers, answer))
      made.on("error", (cause) => lose(answers, cause))
      made.on("exit", (code) => lose(answers, `exit code ${code}`))
      return made
    }),
    (made) => Effect.promise(() => made.terminate())
  )
  const thread: TranscriptThread = {
    ask: (request) => Effect.sync(() => worker.postMessage(request)),
    answers
  }
  return thread
})
