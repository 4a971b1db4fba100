import { Effect } from "effect"
import { type AskThread, makeStoreThread } from "../platform/thread/storeThread.ts"
import { anewText } from "./indexPause.ts"
import type { OpenedIndex, SearchStore } from "./store/searchMessages.ts"

/** In the sources, the thread's file is below this one; the build puts it next to the command line. */
const SCRIPT = new URL(
  import.meta.url.endsWith(".ts") ? "./store/searchThread.ts" : "../searchThread.js",
  import.meta.url
)

/** Sends the thread a request. */
export type AskSearch = AskThread<SearchStore>

/** The thread that owns the index at `path`; people search several times in a row. Each opening of the file is told. */
export const makeSearchThread = (
  path: string,
  keepsTools: Effect.Effect<boolean>,
  onOpen: (opened: OpenedIndex) => Effect.Effect<void> = () => Effect.void
) =>
  makeStoreThread<SearchStore>({
    name: "search",
    script: SCRIPT,
    open: (ask, now) =>
      keepsTools.pipe(
        Effect.flatMap((keeps) => ask("open", path, now, keeps)),
        Effect.tap(({ replaced }) =>
          replaced === undefined
            ? Effect.void
            : Effect.logWarning(`The search index is being rebuilt because ${anewText(replaced)}`)
        ),
        Effect.flatMap(onOpen)
      ),
    idleFor: "30 seconds"
  })
