import { posix } from "node:path"
import { Effect, FileSystem, Layer, Stream } from "effect"
import { EventBus } from "../events/EventBus.ts"
import { mtimeOf } from "../files/mtime.ts"
import { TextFiles } from "../files/TextFiles.ts"
import { Settings } from "../settings/Settings.ts"
import { Answering } from "../startup/Answering.ts"
import { makeAnnouncer } from "./announcer.ts"
import { changeOf, watchPlan } from "./watchRules.ts"
import { watchStream } from "./watchStream.ts"

/**
 * Tells everyone on the event stream of files the agent or somebody else saved: `memory.changed` for memory files and
 * `file.changed` for the workspace, whose `mtime` is 0 when the file is gone (SPEC "Events", D51, D52).
 */
export const FileWatcher = Layer.effectDiscard(
  Effect.gen(function* () {
    const settings = yield* Settings
    const events = yield* EventBus
    const files = yield* TextFiles
    const fs = yield* FileSystem.FileSystem
    const plan = watchPlan(settings)

    const announce = Effect.fnUntraced(function* (path: string) {
      const mtime = yield* fs.stat(path).pipe(
        Effect.map(mtimeOf),
        Effect.orElseSucceed(() => 0)
      )
      const { isMemory, relative } = changeOf(settings, plan, path)
      if (isMemory && !(yield* files.isOwnWrite(path, mtime))) {
        const action = mtime === 0 ? "deleted" : "updated"
        yield* events.publish("memory.changed", { source: "file", action, file: posix.basename(path) })
      }
      if (relative !== undefined) yield* events.publish("file.changed", { path: relative, mtime })
    })

    const changed = yield* makeAnnouncer(announce)
    const watching = (polling: boolean) =>
      watchStream({ roots: plan.roots, ignored: plan.ignored, polling }).pipe(Stream.runForEach(changed))

    const answering = yield* Answering
    yield* Effect.andThen(answering.wait, watching(false)).pipe(
      Effect.catchTag("TooManyWatches", () =>
        Effect.logWarning(
          "the system has no file watches left, so files are looked at once a second: raise fs.inotify.max_user_watches"
        ).pipe(Effect.andThen(watching(true)))
      ),
      Effect.ignore,
      Effect.forkScoped
    )
  })
)
