import { mkdir } from "node:fs/promises"
import { posix } from "node:path"
import { Effect } from "effect"
import { runGit } from "../../platform/process/runGit.ts"
import { attempt } from "../../platform/storage/fileErrors.ts"
import { isWithin } from "../files/relativePath.ts"
import type { Repository } from "./gitPaths.ts"
import { ownGitDir, writeOwn } from "./ownGitDir.ts"
import type { RepositoryFormat } from "./ownSettings.ts"
import { copyGitFile, GitUnusable, readGitFile } from "./readGitFile.ts"
import type { Head } from "./readHead.ts"
import { isRefName, parseRef } from "./refRules.ts"

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
