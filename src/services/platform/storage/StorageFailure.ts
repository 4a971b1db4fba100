import { Effect, type PlatformError, Schema } from "effect"
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
