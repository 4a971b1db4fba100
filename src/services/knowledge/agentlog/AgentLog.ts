import { Clock, Context, DateTime, Effect, FileSystem, Layer, Path, Schema } from "effect"
import { MAX_LOG_ENTRIES } from "../../../contract/limits.ts"
import { AgentLogEntries, type AgentLogEntry, type AgentLogInput } from "../../../contract/schema/knowledge.ts"
import { EventBus } from "../../platform/events/EventBus.ts"
import { Settings } from "../../platform/settings/Settings.ts"
import { writeFileAtomic } from "../../platform/storage/atomicFile.ts"
import { orStorageFailure, type StorageFailure } from "../../platform/storage/fileErrors.ts"
import { PathLocks } from "../../platform/storage/PathLocks.ts"

const StoredLog = Schema.fromJsonString(AgentLogEntries)
const decodeLog = Schema.decodeUnknownOption(StoredLog)
const FILE_NAME = "agent-log.json"
const DIRECTORY_MODE = 0o700
const FILE_MODE = 0o600

export interface AgentLogShape {
  /** All entries, oldest first. */
  readonly list: Effect.Effect<ReadonlyArray<AgentLogEntry>, StorageFailure>
  /** Adds an entry and publishes it on the event stream as `agentlog.added`. */
  readonly append: (input: AgentLogInput) => Effect.Effect<AgentLogEntry, StorageFailure>
}

/** The last 200 reports of agents, in `{svc_home}/agent-log.json`. */
export class AgentLog extends Context.Service<AgentLog, AgentLogShape>()(
  "agent-console/services/knowledge/agentlog/AgentLog"
) {
  static readonly layer = Layer.effect(
    AgentLog,
    Effect.gen(function* () {
      const settings = yield* Settings
      const fs = yield* FileSystem.FileSystem
      const paths = yield* Path.Path
      const locks = yield* PathLocks
      const events = yield* EventBus
      const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
      const path = paths.join(settings.svcHome, FILE_NAME)

      const setAside = Effect.fnUntraced(function* () {
        const stamp = DateTime.formatIso(yield* DateTime.now).replaceAll(":", "-")
        yield* fs.rename(path, `${path}.damaged-${stamp}`)
        yield* Effect.logWarning(`The agent log was damaged and has been renamed to ${FILE_NAME}.damaged-${stamp}`)
        return []
      })

      const load = Effect.fnUntraced(function* () {
        const text = yield* fs
          .readFileString(path)
          .pipe(Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed("[]")))
        const entries = decodeLog(text)
        return entries._tag === "Some" ? entries.value : yield* setAside()
      })

      const list = load().pipe(orStorageFailure("couldn't read the agent log"), locks.withLock(path))

      const append = Effect.fn("AgentLog.append")(function* (input: AgentLogInput) {
        const entry: AgentLogEntry = { ...input, ts: yield* Clock.currentTimeMillis }
        const store = Effect.gen(function* () {
          yield* fs.makeDirectory(settings.svcHome, { recursive: true, mode: DIRECTORY_MODE })
          const entries = [...(yield* load()), entry].slice(-MAX_LOG_ENTRIES)
          yield* writeFileAtomic(path, JSON.stringify(entries), { mode: FILE_MODE })
        })
        yield* store.pipe(
          Effect.provideContext(platform),
          orStorageFailure("couldn't write the agent log"),
          locks.withLock(path)
        )
        yield* events.publish({ event: "agentlog.added", data: { entry } })
        return entry
      })

      return AgentLog.of({ list, append })
    })
  )
}
