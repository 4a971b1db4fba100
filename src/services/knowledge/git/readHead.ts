import { lstat, mkdir } from "node:fs/promises"
import { posix } from "node:path"
import { Effect } from "effect"
import { runGit } from "../../platform/process/runGit.ts"
import { attempt } from "../../platform/storage/fileErrors.ts"
import { isWithin } from "../files/relativePath.ts"
import type { Repository } from "./findRepository.ts"
import { ownGitDir, writeOwn } from "./ownGitDir.ts"
import type { RepositoryFormat } from "./ownSettings.ts"
import { copyGitFile, GitUnusable, type IsOwn, readGitFile, scanGitFile } from "./readGitFile.ts"

/** The content of a ref: the name of another ref or of an object; one character per byte. */
type RefValue = { readonly ref: string } | { readonly object: string }

/** The maximum length of a chain of refs. */
const MAX_DEPTH = 5

/** ASCII blanks only, because others are bytes of a name. */
const OUTER_BLANKS = /^[ \t\n\v\f\r]+|[ \t\n\v\f\r]+$/g

const isHash = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text)

/** Whether git accepts this as a ref's full name, which also keeps it inside its folder. */
export const isRefName = (name: string): boolean =>
  name.startsWith("refs/") &&
  name.length <= 4096 &&
  !/[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.$|\/$/.test(name) &&
  name.split("/").every((part) => !part.endsWith(".lock"))

/** Parses a ref's file; `undefined` if it isn't one. */
export const parseRef = (content: string): RefValue | undefined => {
  if (content.startsWith("ref:")) {
    const ref = content.slice("ref:".length).replace(OUTER_BLANKS, "")
    return isRefName(ref) ? { ref } : undefined
  }
  const object = content.replace(OUTER_BLANKS, "")
  return isHash(object) ? { object } : undefined
}

/** Finds a ref's object in a piece of `packed-refs`, whose lines are `<object> <name>`. */
export const packedObject = (piece: Buffer, name: string): string | undefined => {
  const needle = Buffer.from(` ${name}\n`, "latin1")
  const at = piece.indexOf(needle)
  if (at < 0) return undefined
  const line = piece.toString("latin1", piece.lastIndexOf("\n", at) + 1, at)
  return isHash(line) ? line : undefined
}

/** Decodes a branch's name from a ref's name in bytes. */
export const branchName = (ref: string): string =>
  Buffer.from(ref.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : ref, "latin1").toString("utf8")

/** The commit or branch of a working tree. */
export interface Head {
  /** The current ref, one character per byte; `undefined` for a detached head. */
  readonly ref: string | undefined
  /** The current object; `undefined` before the first commit. */
  readonly object: string | undefined
}

const MAX_REF = 8192
/** The longest line: an object's name, a ref's name and the separator. */
const PACKED_REFS = { what: "the repository's list of branches", limit: 64 * 1024 * 1024, overlap: 64 + 4096 + 2 }

/** Reads a ref from its own file; a folder of that name isn't a ref. */
const looseRef = Effect.fnUntraced(function* (commonDir: string, name: string, isOwn: IsOwn) {
  const path = Buffer.concat([Buffer.from(`${commonDir}/`), Buffer.from(name, "latin1")])
  const info = yield* attempt(() => lstat(path)).pipe(
    Effect.catchTag("FileMissing", () => Effect.undefined),
    Effect.mapError(() => new GitUnusable())
  )
  return info === undefined || info.isDirectory()
    ? undefined
    : yield* readGitFile(path, isOwn, "the branch's file", MAX_REF)
})

const packedRef = Effect.fnUntraced(function* (commonDir: string, name: string, isOwn: IsOwn) {
  let object: string | undefined
  yield* scanGitFile(`${commonDir}/packed-refs`, isOwn, PACKED_REFS, (piece) => {
    object ??= packedObject(piece, name)
  })
  return object
})

/** Reads the head of a working tree from git's files of refs. */
export const readHead = Effect.fn("readHead")(function* ({ gitDir, commonDir }: Repository) {
  const isOwn: IsOwn = (real) => isWithin(gitDir, real) || isWithin(commonDir, real)
  const content = yield* readGitFile(`${gitDir}/HEAD`, isOwn, "the repository's HEAD", MAX_REF)
  let value = content === undefined ? undefined : parseRef(content)
  let ref: string | undefined
  for (let depth = 0; depth <= MAX_DEPTH; depth += 1) {
    if (value === undefined) return yield* new GitUnusable()
    if ("object" in value) return { ref, object: value.object } satisfies Head
    ref = value.ref
    const loose = yield* looseRef(commonDir, ref, isOwn)
    if (loose === undefined) return { ref, object: yield* packedRef(commonDir, ref, isOwn) } satisfies Head
    value = parseRef(loose)
  }
  return yield* new GitUnusable()
})

const MAX_LIST = 8192
const TABLE = { what: "the repository's table of branches", limit: 32 * 1024 * 1024 }
const MAX_TABLES = 64
const TABLE_NAME = /^0x[0-9a-f]{1,16}-0x[0-9a-f]{1,16}-[0-9a-f]{1,16}\.(?:ref|log)$/

/** Creates a git directory with a copy of the tables, and asks git to read them. */
const askTables = Effect.fnUntraced(function* (gitDir: string, { hash }: RepositoryFormat) {
  const own = yield* ownGitDir
  const isOwn = (real: string) => isWithin(gitDir, real)
  const list = yield* readGitFile(posix.join(gitDir, "reftable/tables.list"), isOwn, TABLE.what, MAX_LIST)
  const names = (list ?? "").split("\n").filter((name) => name !== "")
  const isPlain = names.length <= MAX_TABLES && names.every((name) => TABLE_NAME.test(name))
  if (list === undefined || !isPlain) return yield* new GitUnusable()
  yield* attempt(() => mkdir(posix.join(own, "reftable"))).pipe(Effect.mapError(() => new GitUnusable()))
  for (const name of names) {
    const isThere = yield* copyGitFile(
      posix.join(gitDir, "reftable", name),
      isOwn,
      TABLE,
      posix.join(own, "reftable", name)
    )
    // Git may have merged it with others meanwhile.
    if (!isThere) return yield* new GitUnusable()
  }
  yield* writeOwn(own, "reftable/tables.list", list)
  const extensions = `[extensions]\n\tobjectFormat = ${hash}\n\trefStorage = reftable\n`
  yield* writeOwn(own, "config", `[core]\n\trepositoryFormatVersion = 1\n\tbare = true\n${extensions}`)
  return (...args: ReadonlyArray<string>) =>
    runGit({ directory: own, args, ceilings: [], settings: "none", variables: { GIT_DIR: own } }).pipe(
      Effect.map(({ isOk, text }) => (isOk ? text.trim() : undefined))
    )
})

/** Reads the head of a working tree from the tables of newer repositories, which older versions of git can't read. */
export const reftableHead = Effect.fn("reftableHead")(function* (
  { gitDir, commonDir }: Repository,
  format: RepositoryFormat
) {
  const ask = yield* askTables(gitDir, format)
  const named = yield* ask("symbolic-ref", "--quiet", "HEAD")
  const ref = named === undefined ? undefined : Buffer.from(named, "utf8").toString("latin1")
  // A name that isn't valid text can't be passed to git.
  if (ref !== undefined && (!isRefName(ref) || named?.includes("\ufffd"))) return yield* new GitUnusable()
  const askCommon = gitDir === commonDir ? ask : yield* askTables(commonDir, format)
  const found = yield* named === undefined
    ? ask("rev-parse", "--verify", "--quiet", "HEAD")
    : askCommon("rev-parse", "--verify", "--quiet", named)
  const value = found === undefined ? undefined : parseRef(found)
  const object = value !== undefined && "object" in value ? value.object : undefined
  return ref === undefined && object === undefined ? yield* new GitUnusable() : ({ ref, object } satisfies Head)
})
