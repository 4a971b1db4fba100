import { Option, Schema } from "effect"
import { StoreError } from "./Sqlite.ts"

const SqliteFailure = Schema.Struct({ errcode: Schema.Int })
const decodeFailure = Schema.decodeUnknownOption(SqliteFailure)

const BUSY = 5
const LOCKED = 6
const READ_ONLY = 8
const IO_ERROR = 10
const CORRUPT = 11
const FULL = 13
const CANNOT_OPEN = 14
const NOT_A_DATABASE = 26

const MESSAGES = {
  disk_full: "the change was not saved because the disk is full: free some space and try again",
  damaged: "the board's file is damaged: restart the console to set it aside and start with a fresh one",
  busy: "another program is using the board's file: try again in a moment",
  read_only: "the board's file cannot be written: check the permissions of the console's folder",
  newer: "the board's file was written by a newer version of Agent Console: install that version or a newer one",
  other: "the board's file could not be read or written: the console's log has the cause"
} as const

const reasonOf = (cause: unknown): keyof typeof MESSAGES => {
  const failure = decodeFailure(cause)
  if (Option.isNone(failure)) return "other"
  // The low byte is the primary code, the rest says more about it.
  switch (failure.value.errcode & 0xff) {
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
    case IO_ERROR:
      return "other"
    default:
      return "other"
  }
}

/** Names what went wrong in the store, in one sentence for people. */
export const storeError = (cause: unknown): StoreError => {
  const reason = reasonOf(cause)
  return new StoreError({ reason, message: MESSAGES[reason], cause })
}

/** The file's schema number is above the newest one this program knows. */
export const newerFileError = (): StoreError => new StoreError({ reason: "newer", message: MESSAGES.newer })
