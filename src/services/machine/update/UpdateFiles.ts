import { createHash } from "node:crypto"
import { posix } from "node:path"
import { Clock, Context, DateTime, Effect, FileSystem, Layer, Option, type Path, Schema } from "effect"
import { createFileAtomic, writeFileAtomic } from "../../platform/storage/atomicFile.ts"
import { UpdateTarget } from "./UpdateTarget.ts"

/** The current or target position of a checkout. */
export const Place = Schema.Struct({
  /** Commit. */
  ref: Schema.String,
  /** Checked-out branch, if any. */
  branch: Schema.NullOr(Schema.String),
  version: Schema.String
})
export type Place = typeof Place.Type

/** What an update can go back to, recorded before it changes anything. */
export const Snapshot = Schema.Struct({
  ...Place.fields,
  /** SHA-256 of `.env` in hex; `null` if there was none. */
  envHash: Schema.NullOr(Schema.String),
  /** Folder name below `snapshots/`: the time it was taken. */
  name: Schema.String,
  /** Epoch milliseconds. */
  takenAt: Schema.Finite
})
export type Snapshot = typeof Snapshot.Type

/** A process on this machine: its id can be reused after it ends, the mark can't. */
export const ProcessMark = Schema.Struct({ pid: Schema.Int, mark: Schema.String })
export type ProcessMark = typeof ProcessMark.Type

/** A run's outcome, or its progress. */
export const LastRun = Schema.Struct({
  kind: Schema.Literals(["update", "rollback"]),
  /** Epoch milliseconds. */
  startedAt: Schema.Finite,
  finishedAt: Schema.NullOr(Schema.Finite),
  /** Version it started from. */
  from: Schema.String,
  to: Schema.String,
  /** What it was doing last, to follow "while" in a sentence. */
  phase: Schema.String,
  outcome: Schema.Literals(["running", "succeeded", "failed", "rolled-back", "rollback-failed"]),
  message: Schema.NullOr(Schema.String),
  /** `null` before anything was changed. */
  snapshot: Schema.NullOr(Snapshot),
  /** Leader of the last process group that was working. */
  worker: Schema.NullOr(ProcessMark),
  /**
   * Whether the checkout held a complete version when the run began; a failed run leaves or restores it. Older
   * updaters, which changed that version step by step, don't record this.
   */
  isWhole: Schema.optionalKey(Schema.Boolean)
})
export type LastRun = typeof LastRun.Type

/** Contents of the lock file. */
export const LockHolder = Schema.Struct({ pid: Schema.Int, mark: Schema.String, since: Schema.Finite })
export type LockHolder = typeof LockHolder.Type

/** The phases in which a different console may already be running. */
export const RESTARTING = "restarting the service"
export const CHECKING = "checking its health"

/** Whether a run may have left a different console running than the one in the checkout, or none. */
export const hasRestarted = ({ phase, outcome }: LastRun): boolean =>
  phase === RESTARTING || phase === CHECKING || outcome === "rollback-failed"

/** Whether an update got as far as its last step, after which only its record is left to write. */
export const hadOnlyToBeRecorded = ({ kind, isWhole, phase, outcome }: LastRun): boolean =>
  kind === "update" && isWhole === true && phase === CHECKING && outcome === "running"

/** Whether a run left something to repair: it was interrupted or couldn't roll back. */
export const isUnfinished = (run: LastRun): run is LastRun & { readonly snapshot: Snapshot } =>
  run.snapshot !== null && (run.outcome === "running" || run.outcome === "rollback-failed")

/** The update state couldn't be written; `message` says which part and what to check. */
export class StateUnwritable extends Schema.TaggedError<StateUnwritable>()("StateUnwritable", {
  message: Schema.String
}) {}

export interface UpdateFilesShape {
  /** What the last update or rollback did; none before the first one or if the file is damaged. */
  readonly lastRun: Effect.Effect<Option.Option<LastRun>>
  readonly saveLastRun: (run: LastRun) => Effect.Effect<void, StateUnwritable>
  /** What `--rollback` goes back to. */
  readonly lastGood: Effect.Effect<Option.Option<Snapshot>>
  readonly saveLastGood: (snapshot: Snapshot) => Effect.Effect<void, StateUnwritable>
  /** Records a version and copies `.env` to its own folder. */
  readonly takeSnapshot: (at: Place) => Effect.Effect<Snapshot, StateUnwritable>
  /** Restores a `.env` that disappeared, and returns what happened to the file since the snapshot. */
  readonly checkDotEnv: (snapshot: Snapshot) => Effect.Effect<"same" | "changed" | "restored" | "missing">
}

const PRIVATE_FILE = 0o600
const PRIVATE_FOLDER = 0o700
/** How many copies of `.env` are kept, newest first. */
const SNAPSHOTS_KEPT = 10

const decodeLastRun = Schema.decodeUnknownOption(Schema.fromJsonString(LastRun))
const decodeSnapshot = Schema.decodeUnknownOption(Schema.fromJsonString(Snapshot))

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")

/** The state files of updates in `{svc_home}/updater/`. */
export class UpdateFiles extends Context.Service<UpdateFiles, UpdateFilesShape>()(
  "agent-console/services/machine/update/UpdateFiles"
) {
  static readonly layer = Layer.effect(
    UpdateFiles,
    Effect.gen(function* () {
      const target = yield* UpdateTarget
      const fs = yield* FileSystem.FileSystem
      const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
      const folder = posix.join(target.svcHome, "updater")
      const dotEnv = posix.join(target.directory, ".env")
      const snapshots = posix.join(folder, "snapshots")
      const copyOf = (snapshot: Pick<Snapshot, "name">) => posix.join(snapshots, snapshot.name, ".env")

      const read = <A>(name: string, decode: (text: string) => Option.Option<A>) =>
        fs.readFileString(posix.join(folder, name)).pipe(
          Effect.map(decode),
          Effect.orElseSucceed(() => Option.none<A>())
        )

      const save = (name: string, value: object) =>
        fs.makeDirectory(folder, { recursive: true, mode: PRIVATE_FOLDER }).pipe(
          Effect.andThen(
            writeFileAtomic(posix.join(folder, name), `${JSON.stringify(value, null, 2)}\n`, { mode: PRIVATE_FILE })
          ),
          Effect.provideContext(platform),
          Effect.mapError(
            () =>
              new StateUnwritable({
                message: `couldn't write ${name} in the console's updater folder: check whether the disk is full and who owns the folder`
              })
          )
        )

      const readDotEnv = fs.readFile(dotEnv).pipe(
        Effect.asSome,
        Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(Option.none<Uint8Array>()))
      )

      const forgetOld = Effect.gen(function* () {
        const names = (yield* fs.readDirectory(snapshots)).sort()
        yield* Effect.forEach(names.slice(0, -SNAPSHOTS_KEPT), (name) =>
          fs.remove(posix.join(snapshots, name), { recursive: true })
        )
      }).pipe(Effect.ignore)

      const copyDotEnv = Effect.fnUntraced(function* (name: string) {
        yield* fs.makeDirectory(posix.join(snapshots, name), { recursive: true, mode: PRIVATE_FOLDER })
        const contents = yield* readDotEnv
        if (Option.isNone(contents)) return null
        yield* writeFileAtomic(copyOf({ name }), contents.value, { mode: PRIVATE_FILE })
        return sha256(contents.value)
      })

      const takeSnapshot = Effect.fn("UpdateFiles.takeSnapshot")(function* ({ ref, branch, version }: Place) {
        const takenAt = yield* Clock.currentTimeMillis
        const name = DateTime.formatIso(DateTime.makeUnsafe(takenAt)).replace(/[:.]/g, "-")
        const envHash = yield* copyDotEnv(name).pipe(
          Effect.provideContext(platform),
          Effect.mapError(
            () =>
              new StateUnwritable({
                message: "couldn't copy .env: check whether the disk is full and whether this user can read .env"
              })
          )
        )
        const snapshot: Snapshot = { ref, branch, version, envHash, name, takenAt }
        yield* forgetOld
        return snapshot
      }, Effect.uninterruptible)

      const checkDotEnv = Effect.fn("UpdateFiles.checkDotEnv")(function* (snapshot: Snapshot) {
        if (snapshot.envHash === null) return "same" as const
        const now = yield* readDotEnv.pipe(Effect.orElseSucceed(() => Option.none<Uint8Array>()))
        if (Option.isSome(now)) return sha256(now.value) === snapshot.envHash ? ("same" as const) : ("changed" as const)
        // Only if there is none: an existing file is never overwritten.
        const isRestored = yield* fs.readFile(copyOf(snapshot)).pipe(
          Effect.flatMap((contents) => createFileAtomic(dotEnv, contents, { mode: PRIVATE_FILE })),
          Effect.provideContext(platform),
          Effect.orElseSucceed(() => false)
        )
        return isRestored ? ("restored" as const) : ("missing" as const)
      }, Effect.uninterruptible)

      return UpdateFiles.of({
        lastRun: read("last-run.json", decodeLastRun),
        saveLastRun: (run) => save("last-run.json", run),
        lastGood: read("last-good.json", decodeSnapshot),
        saveLastGood: (snapshot) => save("last-good.json", snapshot),
        takeSnapshot,
        checkDotEnv
      })
    })
  )
}
