import type { Failure, Why } from "../../../contract/failure.ts"
import { failure } from "../../../contract/failures.ts"
import type { StoreFailureReason } from "./Sqlite.ts"

type Reason = typeof StoreFailureReason.Type

/** Why a database couldn't be read or written: `message` is for people, `cause` for the log. */
export interface StoreFault {
  readonly reason: Reason
  readonly message: string
  readonly why?: Why
  readonly cause?: unknown
  /** Whether a transaction's body hasn't run, so that it can be retried. */
  readonly isBeforeBody?: boolean
}

const BUSY = 5
const LOCKED = 6
const READ_ONLY = 8
const CORRUPT = 11
const FULL = 13
const CANNOT_OPEN = 14
const NOT_A_DATABASE = 26
/** Extended codes: memory can't be shared, or files can't be locked. */
const WITHOUT_MEMORY = [4618, 5130, 5386]
const WITHOUT_LOCKS = [2314, 3850]

/** SQLite's message, which contains no path. */
const saidBy = (cause: unknown): string | undefined => {
  const said: unknown = typeof cause === "object" && cause !== null ? Reflect.get(cause, "errstr") : undefined
  return typeof said === "string" ? said : undefined
}

/** A feature that the file system lacks. */
const lackOf = (cause: unknown): string | undefined => {
  const code = codeOf(cause) ?? 0
  if (WITHOUT_MEMORY.includes(code)) return "has no memory that programs share"
  return WITHOUT_LOCKS.includes(code) ? "has no locks" : undefined
}

const failureFor = (reason: Reason, what: string): Failure => {
  switch (reason) {
    case "disk_full":
      return failure("DISK_FULL_NOT_SAVED")
    case "damaged":
      return { message: `${what} is damaged: restart the console to set it aside and start with a new one` }
    case "busy":
      return { message: `another program is using ${what}: try again in a moment` }
    case "read_only":
      return { message: `couldn't write ${what}: check the permissions of the console's folder` }
    case "newer":
      return { message: `${what} was written by a newer version of Agent Console: install that version or a newer one` }
    case "unavailable":
      return {
        message: `${what} was replaced or removed while the console was running: start the console again to use the one that's there now`
      }
    case "other":
      return { message: `couldn't read or write ${what}: the console's log has the cause` }
  }
}

const codeOf = (cause: unknown): number | undefined => {
  const code: unknown = typeof cause === "object" && cause !== null ? Reflect.get(cause, "errcode") : undefined
  return Number.isInteger(code) ? Number(code) : undefined
}

const reasonOf = (cause: unknown): Reason => {
  // The low byte is the primary code.
  switch ((codeOf(cause) ?? 0) & 0xff) {
    case FULL:
      return "disk_full"
    case CORRUPT:
    case NOT_A_DATABASE:
      return "damaged"
    case BUSY:
    case LOCKED:
      return "busy"
    case READ_ONLY:
    case CANNOT_OPEN:
      return "read_only"
    default:
      return "other"
  }
}

/**
 * Explains a database error in one sentence; `what` names its file, such as "the board's file", and `fileSystem` the
 * file system if it isn't an ordinary disk.
 */
export const storeFault =
  (what: string, fileSystem?: string) =>
  (cause: unknown): StoreFault => {
    const lack = lackOf(cause)
    if (lack !== undefined) {
      const name = fileSystem === undefined ? "" : ` (${fileSystem})`
      const message = `${what} can't be on this file system${name}, which ${lack}: set SVC_HOME to a folder on a disk of this machine`
      return { reason: "other", message, cause }
    }
    const reason = reasonOf(cause)
    const said = reason === "other" ? saidBy(cause) : undefined
    // Commands and the start have no log, so the message contains SQLite's.
    const why =
      said === undefined ? failureFor(reason, what) : { message: `couldn't read or write ${what} (SQLite: ${said})` }
    return { reason, ...why, cause }
  }

/** The file isn't a database, or is incomplete. */
export const damagedFile = (what: string): StoreFault => ({ reason: "damaged", ...failureFor("damaged", what) })

/** The file's schema number is newer than this program knows. */
export const newerFile = (what: string): StoreFault => ({ reason: "newer", ...failureFor("newer", what) })

/** The open file is no longer the one at its path. */
export const misplacedFile = (what: string): StoreFault => ({
  reason: "unavailable",
  ...failureFor("unavailable", what)
})

/** A change was written, but the disk failed to sync it. */
export const unsyncedFile = (what: string, cause: unknown): StoreFault => ({
  reason: "other",
  message: `the disk failed to sync ${what}, so the change may be lost in a power cut: check the disk, then whether the change is there`,
  cause
})
