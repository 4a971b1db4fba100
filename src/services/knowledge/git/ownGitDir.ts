import { appendFile, lstat, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { posix } from "node:path"
import { Effect } from "effect"
import { GitFailure } from "../../platform/process/runGit.ts"
import { attempt } from "../../platform/storage/fileErrors.ts"
import { isWithin } from "../files/relativePath.ts"
import type { Repository } from "./findRepository.ts"
import type { RepositoryFormat } from "./ownSettings.ts"
import { copyGitFile, GitUnusable, type IsOwn, scanGitFile } from "./readGitFile.ts"

const NAME = Buffer.from("link", "latin1")
const HEADER_BYTES = 8
/** No extension is larger than an index may be, so most names of files that contain "link" can be excluded by it. */
const MAX_SIZE = 32 * 1024 * 1024
/** How many places are tried at most; only an attacker needs more. */
const MAX_TRIES = 64

/** How many bytes of a piece the next one must begin with, so that nothing is missed between them. */
const OVERLAP = HEADER_BYTES + 32

/**
 * Finds the names of the files that a split index may go on in: wherever a piece of it looks like the extension that
 * has one. At most one is real; there is no file of the others' names.
 */
const sharedIndexFinder = (hash: "sha1" | "sha256") => {
  const length = hash === "sha1" ? 20 : 32
  const names = new Set<string>()
  let tries = 0
  const look = (piece: Buffer): void => {
    for (let at = piece.indexOf(NAME); at >= 0 && tries < MAX_TRIES; at = piece.indexOf(NAME, at + 1)) {
      const start = at + HEADER_BYTES
      if (start + length > piece.length) return
      const size = piece.readUInt32BE(at + NAME.length)
      if (size < length || size > MAX_SIZE) continue
      tries += 1
      names.add(`sharedindex.${piece.toString("hex", start, start + length)}`)
    }
  }
  return { names, look }
}

/** The largest index has some 200,000 files. Git needs about twice that in memory. */
const INDEX = { what: "the repository's index", limit: 32 * 1024 * 1024 }
const EXCLUDES = { what: "the repository's list of ignored files", limit: 1024 * 1024 }

/**
 * Unsets the attributes that name programs or character sets for conversion; this file has priority over those of the
 * working tree. The remaining attributes are about line ends, which git itself converts.
 */
const ATTRIBUTES = "* !filter !diff !merge !working-tree-encoding\n"

/** The `HEAD` of a working tree without a commit; the name is arbitrary. */
export const UNBORN = "ref: refs/heads/none\n"

const failed = (cause: unknown) =>
  new GitFailure({ message: "couldn't make a temporary folder: check the disk and its permissions", cause })

/** An empty folder only the console can enter, removed with the scope. */
const privateFolder = Effect.acquireRelease(
  attempt(() => mkdtemp(posix.join(tmpdir(), "agent-console-git-"))),
  (folder) => Effect.ignore(attempt(() => rm(folder, { recursive: true, force: true })))
).pipe(
  Effect.flatMap((folder) => attempt(() => realpath(folder))),
  Effect.mapError(failed)
)

/** Writes a file of the console's own git directory. */
export const writeOwn = (own: string, name: string, content: string) =>
  attempt(() => writeFile(posix.join(own, name), content)).pipe(Effect.mapError(failed))

/** Creates a git directory: empty, without settings, before its first commit. */
export const ownGitDir = Effect.gen(function* () {
  const folder = yield* privateFolder
  yield* attempt(() => Promise.all(["objects", "refs", "info"].map((name) => mkdir(posix.join(folder, name))))).pipe(
    Effect.mapError(failed)
  )
  yield* writeOwn(folder, "HEAD", UNBORN)
  return folder
})

/** A pattern for `info/exclude` that matches only this path. */
const patternOf = (path: string): string => `/${path.replace(/[\\*?[\]!# ]/g, "\\$&")}\n`

/**
 * Copies the repository's index, its shared index and its ignore patterns into the console's own git directory, so that
 * they can't change while git runs.
 */
export const copyRepository = Effect.fn("copyRepository")(function* (
  { workTree, gitDir, commonDir }: Repository,
  { hash }: RepositoryFormat,
  own: string
) {
  const isOwn: IsOwn = (real) => isWithin(gitDir, real) || isWithin(commonDir, real)
  const index = posix.join(own, "index")
  if (yield* copyGitFile(posix.join(gitDir, "index"), isOwn, INDEX, index)) {
    const { names, look } = sharedIndexFinder(hash)
    const isCopy: IsOwn = (real) => real === index
    yield* scanGitFile(index, isCopy, { ...INDEX, overlap: OVERLAP }, look)
    for (const name of names) {
      yield* copyGitFile(posix.join(gitDir, name), isOwn, INDEX, posix.join(own, name))
    }
  }
  const excludes = posix.join(own, "info", "exclude")
  yield* copyGitFile(posix.join(commonDir, "info", "exclude"), isOwn, EXCLUDES, excludes)
  const hidden = isWithin(workTree, own) ? `\n${patternOf(posix.relative(workTree, own))}` : ""
  yield* attempt(() => appendFile(excludes, hidden)).pipe(Effect.mapError(failed))
  yield* writeOwn(own, "info/attributes", ATTRIBUTES)
})

/** The folder of a repository's objects, if it's in one of these locations. */
export const objectsOf = Effect.fnUntraced(function* ({ commonDir }: Repository, places: ReadonlyArray<string>) {
  const path = posix.join(commonDir, "objects")
  const real = yield* attempt(() => realpath(path)).pipe(Effect.mapError(() => new GitUnusable()))
  const info = yield* attempt(() => lstat(real)).pipe(Effect.mapError(() => new GitUnusable()))
  const isInside = [commonDir, ...places].some((place) => isWithin(place, real))
  return info.isDirectory() && isInside ? real : yield* new GitUnusable()
})
