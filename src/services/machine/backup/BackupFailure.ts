import { Effect, Schema } from "effect"
import { errnoOf } from "../../platform/storage/fileErrors.ts"

/**
 * A backup couldn't be made, checked or restored, and nothing was changed; `message` is one sentence for people. `home`:
 * the console's folder can't be used; `store`: a database can't be read; `place`: something can't be written where it was
 * asked for; `missing`, `damaged`, `newer`: the archive; `inUse`: a console runs with the folder.
 */
export class BackupFailure extends Schema.TaggedError<BackupFailure>()("BackupFailure", {
  reason: Schema.Literals(["home", "store", "place", "missing", "damaged", "newer", "inUse"]),
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

const SAID: Readonly<Record<string, string>> = {
  EACCES: "this user isn't allowed to",
  EPERM: "this user isn't allowed to",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  ENOENT: "the folder isn't there",
  ENOTDIR: "there's a file in the folder's place",
  EBUSY: "it's in use, as the folder that a disk or volume is mounted at is",
  EXDEV: "it's on another disk than the folder it's in",
  ENAMETOOLONG: "the name is too long"
}

/** What the system said, in words. */
export const saidBy = (cause: unknown): string => SAID[errnoOf(cause)] ?? `the system said ${errnoOf(cause)}`

/** Runs a call of Node's; `what` is what couldn't be done. */
export const doing =
  (reason: BackupFailure["reason"], what: string) =>
  <A>(call: () => Promise<A>): Effect.Effect<A, BackupFailure> =>
    Effect.tryPromise({
      try: call,
      catch: (cause) => new BackupFailure({ reason, message: `couldn't ${what}: ${saidBy(cause)}`, cause })
    })
