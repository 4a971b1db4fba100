import { Cause, Data, Effect, Queue, Stream } from "effect"

/** The system can't watch more files (`ENOSPC`, `EMFILE`); polling still works. */
export class TooManyWatches extends Data.TaggedError("TooManyWatches")<{ readonly cause: unknown }> {}

export interface WatchOptions {
  /** Absolute paths; they need not exist yet. */
  readonly roots: ReadonlyArray<string>
  readonly ignored: (path: string) => boolean
  /** Polls every file once a second instead of using system notifications. */
  readonly polling: boolean
}

const POLL_MS = 1000
const OUT_OF_WATCHES = ["ENOSPC", "EMFILE"]

const isOutOfWatches = (cause: unknown) =>
  typeof cause === "object" && cause !== null && "code" in cause && OUT_OF_WATCHES.includes(String(cause.code))

/** Absolute paths of files that appeared, changed or disappeared since the watch was set up. */
export const watchStream = ({ roots, ignored, polling }: WatchOptions): Stream.Stream<string, TooManyWatches> =>
  Stream.callback<string, TooManyWatches>((queue) =>
    Effect.acquireRelease(
      // Loaded with the first watch, so that it doesn't delay the start.
      Effect.map(
        Effect.promise(() => import("chokidar")),
        ({ watch }) =>
          watch([...roots], {
            ignored,
            ignoreInitial: true,
            atomic: false,
            usePolling: polling,
            interval: POLL_MS
          })
            .on("add", (path) => Queue.offerUnsafe(queue, path))
            .on("change", (path) => Queue.offerUnsafe(queue, path))
            .on("unlink", (path) => Queue.offerUnsafe(queue, path))
            .on("error", (cause) => {
              if (!polling && isOutOfWatches(cause))
                Queue.failCauseUnsafe(queue, Cause.fail(new TooManyWatches({ cause })))
            })
      ),
      (watcher) => Effect.promise(() => watcher.close())
    )
  )
