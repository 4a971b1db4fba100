import { Effect } from "effect"
import { type AskThread, makeStoreThread } from "../platform/thread/storeThread.ts"
import type { UsageStore } from "./store/usageMessages.ts"

/** In the sources, the thread's file is below this one; the build puts it next to the command line. */
const SCRIPT = new URL(
  import.meta.url.endsWith(".ts") ? "./store/usageThread.ts" : "../usageThread.js",
  import.meta.url
)

/** Sends the thread a request. */
export type AskUsage = AskThread<UsageStore>

/** The thread that owns the usage database at `path`; requests come in bursts a minute apart. */
export const makeUsageThread = Effect.fnUntraced(function* (path: string) {
  const { ask } = yield* makeStoreThread<UsageStore>({
    name: "usage",
    script: SCRIPT,
    open: (askThread, now) =>
      Effect.flatMap(askThread("open", path, now), (aside) =>
        aside === undefined
          ? Effect.void
          : Effect.logError(`The usage database was damaged. It was renamed to ${aside} and replaced by a new one`)
      ),
    idleFor: "2 seconds"
  })
  return ask
})
