import { type FileSystem, Option } from "effect"

/** Modification time in epoch milliseconds, truncated; 0 if the file system has none. */
export const mtimeOf = (info: FileSystem.File.Info): number =>
  Option.match(info.mtime, { onNone: () => 0, onSome: (mtime) => Math.trunc(mtime.getTime()) })
