import { Schema } from "effect"

/** What an update can go back to, taken before it changes anything (SPEC "Update command"). */
export const Snapshot = Schema.Struct({
  /** Commit. */
  ref: Schema.String,
  /** Branch that was checked out there, if any. */
  branch: Schema.NullOr(Schema.String),
  version: Schema.String,
  /** SHA-256 of `.env` in hex; `null` when there was none. */
  envHash: Schema.NullOr(Schema.String),
  /** Name of the folder below `snapshots/`: the time it was taken. */
  name: Schema.String,
  /** Epoch milliseconds. */
  takenAt: Schema.Finite
})
export type Snapshot = typeof Snapshot.Type

/** A process as this machine knows it: its id is given again after it ended, the mark is not. */
export const ProcessMark = Schema.Struct({ pid: Schema.Int, mark: Schema.String })
export type ProcessMark = typeof ProcessMark.Type

/** How a run went, or where it stands. */
export const LastRun = Schema.Struct({
  kind: Schema.Literals(["update", "rollback"]),
  /** Epoch milliseconds. */
  startedAt: Schema.Finite,
  finishedAt: Schema.NullOr(Schema.Finite),
  /** Version it went out from. */
  from: Schema.String,
  to: Schema.String,
  /** What it was doing last, as a sentence goes on after "while". */
  phase: Schema.String,
  outcome: Schema.Literals(["running", "succeeded", "failed", "rolled-back", "rollback-failed"]),
  message: Schema.NullOr(Schema.String),
  /** `null` before anything was changed. */
  snapshot: Schema.NullOr(Snapshot),
  /** Leader of the process group that did the work last. */
  worker: Schema.NullOr(ProcessMark)
})
export type LastRun = typeof LastRun.Type

/** Content of the lock file. */
export const LockHolder = Schema.Struct({ pid: Schema.Int, mark: Schema.String, since: Schema.Finite })
export type LockHolder = typeof LockHolder.Type

/** Whether a run left the checkout in an unknown state: it was cut off, or could not go back. */
export const isUnfinished = (run: LastRun): run is LastRun & { readonly snapshot: Snapshot } =>
  run.snapshot !== null && (run.outcome === "running" || run.outcome === "rollback-failed")
