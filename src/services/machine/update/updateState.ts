import { Schema } from "effect"

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
