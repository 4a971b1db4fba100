import { posix } from "node:path"
import { isWithin } from "../files/relativePath.ts"

/** The real paths of a repository. */
export interface Repository {
  /** The folder with the files. */
  readonly workTree: string
  /** The working tree's own git directory. */
  readonly gitDir: string
  /** The directory shared by its working trees: objects, branches, settings. */
  readonly commonDir: string
}

/** Folders in which to look for a repository, from inside outwards; never one of the ceilings or above. */
export const foldersUpwards = (from: string, ceilings: ReadonlyArray<string>): ReadonlyArray<string> => {
  const ceiling = ceilings
    .filter((one) => one !== from && isWithin(one, from))
    .reduce<string | undefined>((last, one) => (last === undefined || one.length > last.length ? one : last), undefined)
  const folders: Array<string> = []
  for (let folder = from; folder !== ceiling; folder = posix.dirname(folder)) {
    folders.push(folder)
    if (folder === "/") break
  }
  return folders
}

/** The path in a `.git` file or one of those that name a working tree; `undefined` if it isn't one. */
export const pathIn = (content: string, prefix: string): string | undefined => {
  if (!content.startsWith(prefix)) return undefined
  const bytes = Buffer.from(content.slice(prefix.length).replace(/[\r\n]+$/, ""), "latin1")
  const path = bytes.toString("utf8")
  return path === "" || path.includes("\0") || !Buffer.from(path, "utf8").equals(bytes) ? undefined : path
}

/** The common directory of a linked working tree's git directory `<common>/worktrees/<name>`. */
export const commonOf = (gitDir: string): string | undefined => {
  const parent = posix.dirname(gitDir)
  return posix.basename(parent) === "worktrees" ? posix.dirname(parent) : undefined
}
