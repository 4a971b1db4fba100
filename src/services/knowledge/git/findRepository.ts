import { lstat, realpath } from "node:fs/promises"
import { posix } from "node:path"
import { Effect } from "effect"
import { attempt } from "../../platform/storage/fileErrors.ts"
import { isWithin } from "../files/relativePath.ts"
import { GitUnusable, readGitFile } from "./readGitFile.ts"

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

/** Maximum size of a file that names one path, in bytes. */
const MAX_POINTER = 8192

const infoOf = (path: string) =>
  attempt(() => lstat(path)).pipe(
    Effect.catchTag("FileMissing", () => Effect.undefined),
    Effect.mapError(() => new GitUnusable())
  )

const realOf = (path: string) => attempt(() => realpath(path)).pipe(Effect.mapError(() => new GitUnusable()))

/** The path in a file, resolved from `folder`; `undefined` if the file doesn't exist. */
const pointerIn = Effect.fnUntraced(function* (file: string, prefix: string, folder: string) {
  const content = yield* readGitFile(file, (real) => real === file, "a file that names a folder", MAX_POINTER)
  if (content === undefined) return undefined
  const path = pathIn(content, prefix)
  return path === undefined ? yield* new GitUnusable() : posix.resolve(folder, path)
})

/** Whether a linked working tree's git directory names this tree as its own. */
const isTreeOf = Effect.fnUntraced(function* (gitDir: string, workTree: string) {
  const back = yield* pointerIn(posix.join(gitDir, "gitdir"), "", gitDir)
  if (back === undefined || posix.basename(back) !== ".git") return false
  const named = yield* Effect.option(realOf(posix.dirname(back)))
  return named._tag === "Some" && named.value === workTree
})

/** The target of a `.git` in a folder; `undefined` if git wouldn't accept it. */
export const gitDirAt = Effect.fnUntraced(function* (workTree: string) {
  const entry = posix.join(workTree, ".git")
  const info = yield* infoOf(entry)
  if (info === undefined) return undefined
  if (info.isFile()) {
    const named = yield* pointerIn(entry, "gitdir: ", workTree)
    return named === undefined ? undefined : yield* realOf(named)
  }
  if (!info.isDirectory() && !info.isSymbolicLink()) return undefined
  const real = yield* realOf(entry)
  // Like git, skips an empty folder of that name.
  const parts = yield* Effect.all([infoOf(posix.join(real, "HEAD")), infoOf(posix.join(real, "objects"))])
  return parts.some((part) => part === undefined) ? undefined : real
})

/**
 * Finds the repository of a folder. Its git directory must be in one of the `bases`, in the `.git` of a parent folder
 * (like a submodule's), or name the working tree as its own, because anyone who can write files there can write a
 * `.git` file.
 */
export const findRepository = Effect.fn("findRepository")(function* (
  from: string,
  ceilings: ReadonlyArray<string>,
  bases: ReadonlyArray<string>
) {
  const folders = foldersUpwards(from, ceilings)
  for (const [index, workTree] of folders.entries()) {
    const gitDir = yield* gitDirAt(workTree)
    if (gitDir === undefined) continue
    // Inside the git directory itself there's no working tree.
    if (isWithin(gitDir, from)) return undefined
    const common = commonOf(gitDir)
    const shared = common === undefined ? undefined : yield* pointerIn(posix.join(gitDir, "commondir"), "", gitDir)
    if (shared !== undefined && shared !== common) return yield* new GitUnusable()
    const commonDir = shared ?? gitDir
    const places = [...bases, ...folders.slice(index).map((folder) => posix.join(folder, ".git"))]
    const isInside = places.some((place) => isWithin(place, gitDir) && isWithin(place, commonDir))
    if (!isInside && !(shared !== undefined && (yield* isTreeOf(gitDir, workTree)))) return yield* new GitUnusable()
    return { workTree, gitDir, commonDir } satisfies Repository
  }
  return undefined
})
