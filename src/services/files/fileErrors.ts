import { Effect, Schema } from "effect"
import { StorageFailure } from "./StorageFailure.ts"

/** A path or a file that the browser of files does not serve; `message` is `<field>: <what is wrong>`. */
export class FileRefused extends Schema.TaggedError<FileRefused>()("FileRefused", { message: Schema.String }) {}

/** There is no such file or folder. */
export class FileMissing extends Schema.TaggedError<FileMissing>()("FileMissing", {}) {}

/** What is on the disk differs from what the request goes by; `message` says what to do. */
export class FileConflict extends Schema.TaggedError<FileConflict>()("FileConflict", { message: Schema.String }) {}

/** More bytes than are read or written in one piece. */
export class FileTooLarge extends Schema.TaggedError<FileTooLarge>()("FileTooLarge", { message: Schema.String }) {}

export type FileError = FileRefused | FileMissing | FileConflict | FileTooLarge | StorageFailure

const CodedError = Schema.Struct({ code: Schema.String })
const PlatformFault = Schema.Struct({ reason: Schema.Struct({ cause: CodedError }) })
const isCoded = Schema.is(CodedError)
const isPlatformFault = Schema.is(PlatformFault)

/** The system's name of an error, such as `ENOENT`, from Node or through the platform's file system. */
export const errnoOf = (cause: unknown): string => {
  if (isCoded(cause)) return cause.code
  return isPlatformFault(cause) ? cause.reason.cause.code : "UNKNOWN"
}

/** What an error of the system means to people; never names an absolute path (D18). */
export const fileErrorOf = (cause: unknown): FileRefused | FileMissing | FileConflict | StorageFailure => {
  switch (errnoOf(cause)) {
    case "ENOENT":
    case "ENOTDIR":
      return new FileMissing()
    case "ELOOP":
      return new FileRefused({ message: "path: leads through a link that cannot be followed" })
    case "ENAMETOOLONG":
      return new FileRefused({ message: "path: is too long" })
    case "EINVAL":
    case "EISDIR":
    case "ENXIO":
    case "EILSEQ":
      return new FileRefused({ message: "path: this cannot be done with it" })
    case "EXDEV":
      return new FileRefused({ message: "path: lies on another disk, so it cannot be moved there" })
    case "EEXIST":
    case "ENOTEMPTY":
      return new FileConflict({ message: "there is already something of that name: choose another" })
    case "EACCES":
    case "EPERM":
      return new StorageFailure({ message: "no permission: check the rights of the file and its folder", cause })
    case "EROFS":
      return new StorageFailure({ message: "the disk is read-only", cause })
    case "ENOSPC":
    case "EDQUOT":
      return new StorageFailure({ message: "the disk is full", cause })
    default:
      return new StorageFailure({ message: "the disk could not be read or written: check it, then try again", cause })
  }
}

/** Runs a call of `node:fs/promises`, its failure put in our words. */
export const attempt = <A>(call: () => Promise<A>) => Effect.tryPromise({ try: call, catch: fileErrorOf })
