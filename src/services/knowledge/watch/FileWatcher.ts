import { statfs } from "node:fs/promises"
import { dirname, posix } from "node:path"
import { Cause, Data, Effect, FiberMap, FileSystem, Layer, Queue, Stream } from "effect"
import { EventBus } from "../../platform/events/EventBus.ts"
import { ServerReady } from "../../platform/ServerReady.ts"
import { Settings } from "../../platform/settings/Settings.ts"
import { fileSystemKind } from "../../platform/storage/fileSystems.ts"
import { AgentWorkspaces } from "../agents/AgentWorkspaces.ts"
import { agentField, defaultWorkspace, type Workspace } from "../agents/Workspace.ts"
import { mtimeOf, TextFiles } from "../files/TextFiles.ts"
import { changeOf, watchPlan } from "./watchRules.ts"

/** Whether the file system with this number doesn't report changes made by other machines. */
export const isWithoutEvents = (type: number): boolean => fileSystemKind(type)?.isShared === true

/** The number of the file system of a path, or of its nearest existing folder. */
const typeOf = (path: string): Effect.Effect<number | undefined> =>
  Effect.tryPromise(() => statfs(path)).pipe(
    Effect.map(({ type }): number | undefined => type),
    Effect.catch(() => {
      const parent = dirname(path)
      return parent === path ? Effect.succeed(undefined) : typeOf(parent)
    })
  )

/** Whether watching these paths would miss changes made by other machines. */
export const missesChanges = (paths: ReadonlyArray<string>): Effect.Effect<boolean> =>
  process.platform === "linux"
    ? Effect.map(Effect.forEach(paths, typeOf), (types) =>
        types.some((type) => type !== undefined && isWithoutEvents(type))
      )
    : Effect.succeed(false)

/** The system can't watch more files (`ENOSPC`, `EMFILE`); polling still works. */
class TooManyWatches extends Data.TaggedError("TooManyWatches")<{ readonly cause: unknown }> {}

interface WatchOptions {
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
const watchStream = ({ roots, ignored, polling }: WatchOptions): Stream.Stream<string, TooManyWatches> =>
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
const watchWorkspace = Effect.fn("watchWorkspace")(function* (workspace: Workspace, recursive: boolean) {
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

const keyOf = ({ agent, root }: Workspace): string => `${agent} ${root}`

/** Watches the workspaces of all agents: the default one's from the start, the others' once the gateway lists them. */
export const FileWatcher = Layer.effectDiscard(
  Effect.gen(function* () {
    const settings = yield* Settings
    const workspaces = yield* AgentWorkspaces
    const serverReady = yield* ServerReady
    const watched = yield* FiberMap.make<string>()
    const watch = (workspace: Workspace) => watchWorkspace(workspace, settings.watchWorkspaceRecursive)

    const follow = Effect.fnUntraced(function* (others: ReadonlyArray<Workspace>) {
      const wanted = new Set(others.map(keyOf))
      const removed = Array.from(watched, ([key]) => key).filter((key) => !wanted.has(key))
      yield* Effect.forEach(removed, (key) => FiberMap.remove(watched, key), { discard: true })
      yield* Effect.forEach(
        others,
        (workspace) => FiberMap.run(watched, keyOf(workspace), watch(workspace), { onlyIfMissing: true }),
        { discard: true }
      )
    })

    yield* Effect.forkScoped(Effect.andThen(serverReady.wait, watch(defaultWorkspace(settings))))
    yield* Effect.forkScoped(Effect.andThen(serverReady.wait, Stream.runForEach(workspaces.others, follow)))
  })
)
