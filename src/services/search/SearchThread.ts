import { Effect } from "effect"
import { type AskThread, makeStoreThread } from "../platform/thread/storeThread.ts"
import type { SearchStore } from "./store/searchMessages.ts"

/** In the sources, the thread's file is below this one; the build puts it next to the command line. */
const SCRIPT = new URL(
  import.meta.url.endsWith(".ts") ? "./store/searchThread.ts" : "../searchThread.js",
  import.meta.url
)

/** Sends the thread a request. */
export type AskSearch = AskThread<SearchStore>

/** The thread that owns the index at `path`; people search several times in a row. */
export const makeSearchThread = (path: string, keepsTools: Effect.Effect<boolean>) =>
  makeStoreThread<SearchStore>({
    name: "search",
    script: SCRIPT,
    open: (ask, now) =>
      keepsTools.pipe(
        Effect.flatMap((keeps) => ask("open", path, now, keeps)),
        Effect.flatMap((why) =>
          why === undefined ? Effect.void : Effect.logWarning(`The search index is built again, because ${why}`)
        )
      ),
    idleFor: "30 seconds"
  })
