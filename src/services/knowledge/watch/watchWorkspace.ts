import { posix } from "node:path"
import { Effect, FiberMap, FileSystem, Stream } from "effect"
import { EventBus } from "../../platform/events/EventBus.ts"
import { agentField, type Workspace } from "../agents/Workspace.ts"
import { mtimeOf } from "../files/mtime.ts"
import { TextFiles } from "../files/TextFiles.ts"
import { missesChanges } from "./fileSystemEvents.ts"
import { changeOf, watchPlan } from "./watchRules.ts"
import { watchStream } from "./watchStream.ts"

/** Shortest time between two announcements of one path. */
const BURST_WINDOW = "100 millis"

/**
 * Creates a function that announces path changes: the first at once, and a burst ends with one more announcement of the
 * final state. `announce` never runs twice at once for the same path. Owned by the scope.
 */
const makeAnnouncer = Effect.fnUntraced(function* (announce: (path: string) => Effect.Effect<void>) {
  const windows = yield* FiberMap.make<string>()
  const again = new Set<string>()

  const open = (path: string): Effect.Effect<void> =>
    Effect.gen(function* () {
      do {
        again.delete(path)
        yield* announce(path)
        yield* Effect.sleep(BURST_WINDOW)
      } while (again.has(path))
    })

  return Effect.fnUntraced(function* (path: string) {
    if (yield* FiberMap.has(windows, path)) again.add(path)
    else yield* FiberMap.run(windows, path, open(path))
  })
})

/**
 * Publishes events for files in an agent's workspace that another program changed, until interrupted: `memory.changed`
 * for memory files and `file.changed` for all, with `mtime` 0 for a deleted file.
 */
export const watchWorkspace = Effect.fn("watchWorkspace")(function* (workspace: Workspace, recursive: boolean) {
  const events = yield* EventBus
  const files = yield* TextFiles
  const fs = yield* FileSystem.FileSystem
  const plan = watchPlan(workspace, recursive)
  const agent = agentField(workspace)

  const announce = Effect.fnUntraced(function* (path: string) {
    const mtime = yield* fs.stat(path).pipe(
      Effect.map(mtimeOf),
      Effect.orElseSucceed(() => 0)
    )
    const { isMemory, relative } = changeOf(workspace, path)
    if (isMemory && !(yield* files.isOwnWrite(path, mtime))) {
      const action = mtime === 0 ? "deleted" : "updated"
      yield* events.publish({
        event: "memory.changed",
        data: { source: "file", action, file: posix.basename(path), ...agent }
      })
    }
    if (relative !== undefined)
      yield* events.publish({ event: "file.changed", data: { path: relative, mtime, ...agent } })
  })

  const changed = yield* makeAnnouncer(announce)
  const watching = (polling: boolean) =>
    watchStream({ roots: plan.roots, ignored: plan.ignored, polling }).pipe(Stream.runForEach(changed))

  if (yield* missesChanges(plan.roots)) {
    yield* Effect.logInfo(
      "An agent's workspace is on a file system that doesn't tell of changes from elsewhere (a network folder or a mount of a program), so its files are checked once a second"
    )
    return yield* Effect.ignore(watching(true))
  }
  yield* watching(false).pipe(
    Effect.catchTag("TooManyWatches", () =>
      Effect.logWarning(
        "The system has no file watches left, so files are checked once a second: raise fs.inotify.max_user_watches"
      ).pipe(Effect.andThen(watching(true)))
    ),
    Effect.ignore
  )
}, Effect.scoped)
