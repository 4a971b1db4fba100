import { Effect, FileSystem } from "effect"

/**
 * Sets permission bits where the file system has them; shares and disks of other systems refuse, and a file on them was
 * made with these bits or can't have others.
 */
export const setMode = (path: string, mode: number): Effect.Effect<void, never, FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => Effect.ignore(fs.chmod(path, mode)))
