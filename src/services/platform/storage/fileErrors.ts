import { Effect, type PlatformError, Schema } from "effect"
import { failure } from "../../../contract/failures.ts"
import { failureFields } from "../../../contract/schema/failure.ts"

/** One of the console's or the agent's files can't be read or written; `message` names it and says what to do. */
export class StorageFailure extends Schema.TaggedError<StorageFailure>()("StorageFailure", {
  ...failureFields,
  cause: Schema.Defect()
}) {}

const advice = (error: PlatformError.PlatformError): string => {
  switch (error.reason._tag) {
    case "PermissionDenied":
      return "check the permissions of the file and its folder"
    case "NotFound":
      return "the folder is missing"
    default:
      return "check that the disk isn't full or read-only"
  }
}

/** Turns a file system error into a `StorageFailure`; `what` names the file for people, without its path. */
export const orStorageFailure =
  (what: string) =>
  <A, R>(effect: Effect.Effect<A, PlatformError.PlatformError, R>): Effect.Effect<A, StorageFailure, R> =>
    Effect.mapError(effect, (cause) => new StorageFailure({ message: `${what}: ${advice(cause)}`, cause }))

/** A path or file that the file browser doesn't serve; `message` is `<field>: <problem>`. */
export class FileRefused extends Schema.TaggedError<FileRefused>()("FileRefused", failureFields) {}

/** The file or folder doesn't exist; `advice` says what to do, if that isn't obvious. */
export class FileMissing extends Schema.TaggedError<FileMissing>()("FileMissing", {
  advice: Schema.optionalKey(Schema.Struct(failureFields))
}) {}

/** The folder with all files doesn't exist; `message` says which setting names it. */
export class RootMissing extends Schema.TaggedError<RootMissing>()("RootMissing", failureFields) {}

/** The file on disk differs from what the request assumes; `message` says what to do. */
export class FileConflict extends Schema.TaggedError<FileConflict>()("FileConflict", failureFields) {}

/** Over the size limit for reading or writing. */
export class FileTooLarge extends Schema.TaggedError<FileTooLarge>()("FileTooLarge", failureFields) {}

export type FileError = FileRefused | FileMissing | RootMissing | FileConflict | FileTooLarge | StorageFailure

const CodedError = Schema.Struct({ code: Schema.String })
const PlatformFault = Schema.Struct({ reason: Schema.Struct({ cause: CodedError }) })
const isCoded = Schema.is(CodedError)
const isPlatformFault = Schema.is(PlatformFault)

/** The system's name of an error, such as `ENOENT`, from Node or through the platform's file system. */
export const errnoOf = (cause: unknown): string => {
  if (isCoded(cause)) return cause.code
  return isPlatformFault(cause) ? cause.reason.cause.code : "UNKNOWN"
}

/** Explains a system error; never names an absolute path. */
export const fileErrorOf = (cause: unknown): FileRefused | FileMissing | FileConflict | StorageFailure => {
  switch (errnoOf(cause)) {
    case "ENOENT":
    case "ENOTDIR":
      return new FileMissing()
    case "ELOOP":
      return new FileRefused(failure("LINK_LOOP", { field: "path" }))
    case "ENAMETOOLONG":
      return new FileRefused(failure("PATH_TOO_LONG", { field: "path" }))
    case "EINVAL":
    case "EISDIR":
    case "ENXIO":
    case "EILSEQ":
      return new FileRefused(failure("NOT_POSSIBLE", { field: "path" }))
    case "EXDEV":
      return new FileRefused(failure("OTHER_DISK", { field: "path" }))
    case "EEXIST":
    case "ENOTEMPTY":
      return new FileConflict(failure("NAME_TAKEN_CHOOSE"))
    case "EACCES":
    case "EPERM":
      return new StorageFailure({ ...failure("NO_PERMISSION"), cause })
    case "EROFS":
      return new StorageFailure({ ...failure("DISK_READ_ONLY"), cause })
    case "ENOSPC":
    case "EDQUOT":
      return new StorageFailure({ ...failure("DISK_FULL"), cause })
    default:
      return new StorageFailure({ ...failure("DISK_FAILED"), cause })
  }
}

/** Runs a `node:fs/promises` call and explains its failure. */
export const attempt = <A>(call: () => Promise<A>) => Effect.tryPromise({ try: call, catch: fileErrorOf })
