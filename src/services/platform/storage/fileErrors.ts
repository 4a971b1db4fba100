import { Effect, Schema } from "effect"
import { StorageFailure } from "./StorageFailure.ts"

/** A path or file that the file browser doesn't serve; `message` is `<field>: <what is wrong>`. */
export class FileRefused extends Schema.TaggedError<FileRefused>()("FileRefused", { message: Schema.String }) {}

/** The file or folder doesn't exist; `advice` says what to do where that isn't plain. */
export class FileMissing extends Schema.TaggedError<FileMissing>()("FileMissing", {
  advice: Schema.optionalKey(Schema.String)
}) {}

/** The folder with all files doesn't exist; `message` says which setting names it. */
export class RootMissing extends Schema.TaggedError<RootMissing>()("RootMissing", { message: Schema.String }) {}

/** The file on disk differs from what the request assumes; `message` says what to do. */
export class FileConflict extends Schema.TaggedError<FileConflict>()("FileConflict", { message: Schema.String }) {}

/** Over the size limit for reading or writing. */
export class FileTooLarge extends Schema.TaggedError<FileTooLarge>()("FileTooLarge", { message: Schema.String }) {}

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
      return new FileRefused({ message: "path: contains a link that can't be followed" })
    case "ENAMETOOLONG":
      return new FileRefused({ message: "path: is too long" })
    case "EINVAL":
    case "EISDIR":
    case "ENXIO":
    case "EILSEQ":
      return new FileRefused({ message: "path: this can't be done with it" })
    case "EXDEV":
      return new FileRefused({ message: "path: is on another disk, so it can't be moved there" })
    case "EEXIST":
    case "ENOTEMPTY":
      return new FileConflict({ message: "something with that name already exists: choose another name" })
    case "EACCES":
    case "EPERM":
      return new StorageFailure({ message: "no permission: check the permissions of the file and its folder", cause })
    case "EROFS":
      return new StorageFailure({ message: "the disk is read-only", cause })
    case "ENOSPC":
    case "EDQUOT":
      return new StorageFailure({ message: "the disk is full", cause })
    default:
      return new StorageFailure({ message: "couldn't read or write the disk: check it, then try again", cause })
  }
}

/** Runs a `node:fs/promises` call and explains its failure. */
export const attempt = <A>(call: () => Promise<A>) => Effect.tryPromise({ try: call, catch: fileErrorOf })
