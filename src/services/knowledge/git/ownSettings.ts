import { posix } from "node:path"
import { Effect } from "effect"
import { isWithin } from "../files/relativePath.ts"
import type { Repository } from "./findRepository.ts"
import { type GitConfig, parseGitConfig } from "./gitConfig.ts"
import { GitUnusable, type IsOwn, readGitFile } from "./readGitFile.ts"

/** The format of a repository according to its settings. */
export interface RepositoryFormat {
  readonly hash: "sha1" | "sha256"
  readonly refs: "files" | "reftable"
  readonly isBare: boolean
  /** Whether each working tree has its own settings. */
  readonly hasTreeSettings: boolean
}

const TRUE: ReadonlySet<string> = new Set(["true", "yes", "on", "1"])
const FALSE: ReadonlySet<string> = new Set(["false", "no", "off", "0", ""])

const booleanOf = (value: string | undefined): "true" | "false" | undefined => {
  const lower = value?.toLowerCase()
  if (lower === undefined) return undefined
  if (TRUE.has(lower)) return "true"
  return FALSE.has(lower) ? "false" : undefined
}

const oneOf =
  (...values: ReadonlyArray<string>) =>
  (value: string): string | undefined =>
    values.find((one) => one === value.toLowerCase())

/** The only settings used, with their allowed values: they decide which files count as changed. */
const TAKEN: ReadonlyArray<readonly [name: string, read: (value: string) => string | undefined]> = [
  ["core.filemode", booleanOf],
  ["core.symlinks", booleanOf],
  ["core.ignorecase", booleanOf],
  ["core.precomposeunicode", booleanOf],
  ["core.trustctime", booleanOf],
  ["core.sparsecheckout", booleanOf],
  ["core.sparsecheckoutcone", booleanOf],
  ["core.autocrlf", (value) => oneOf("input")(value) ?? booleanOf(value)],
  ["core.eol", oneOf("lf", "crlf", "native")],
  ["core.checkstat", oneOf("default", "minimal")]
]

/** The names of the owner's settings that are also used, as a pattern for `git config`. */
export const OWNERS_PATTERN = `^(${[...TAKEN.map(([name]) => name), "core.excludesfile"].join("|")})$`

/** Extensions that don't affect the files read here. */
const HARMLESS: ReadonlySet<string> = new Set([
  "noop",
  "noop-v1",
  "partialclone",
  "preciousobjects",
  "worktreeconfig",
  "relativeworktrees"
])

/** Reads the format of a repository; `undefined` if it isn't supported. */
export const formatOf = (config: GitConfig): RepositoryFormat | undefined => {
  const version = config.get("core.repositoryformatversion") ?? "0"
  if (version !== "0" && version !== "1") return undefined
  const extensions = [...config].flatMap(([name, value]) =>
    name.startsWith("extensions.") ? [[name.slice("extensions.".length), value] as const] : []
  )
  const format = new Map<string, string>()
  for (const [name, value] of extensions) {
    if (name === "objectformat" || name === "refstorage") format.set(name, value)
    else if (version === "1" && !HARMLESS.has(name)) return undefined
  }
  if (version === "0" && format.size > 0) return undefined
  const hash = oneOf("sha1", "sha256")(format.get("objectformat") ?? "sha1")
  const refs = oneOf("files", "reftable")(format.get("refstorage") ?? "files")
  if (hash === undefined || refs === undefined) return undefined
  return {
    hash: hash === "sha256" ? "sha256" : "sha1",
    refs: refs === "reftable" ? "reftable" : "files",
    isBare: booleanOf(config.get("core.bare")) === "true",
    hasTreeSettings: booleanOf(config.get("extensions.worktreeconfig")) === "true"
  }
}

const quoted = (text: string): string =>
  `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`

/** Limits git's memory and disables the repository's caches. */
const FIXED = `	bare = false
	fsmonitor = false
	untrackedCache = false
	preloadIndex = false
	commitGraph = false
	multiPackIndex = false
	attributesFile = /dev/null
	packedGitWindowSize = 16m
	packedGitLimit = 64m
	deltaBaseCacheLimit = 16m
	bigFileThreshold = 32m
[index]
	threads = 1
[pack]
	compression = 0
`

/**
 * The settings of the console's own git directory, from the owner's, the repository's and the working tree's: the last
 * one wins. `excludesFile` has the owner's global ignore patterns.
 */
export const ownSettings = (
  format: RepositoryFormat,
  configs: ReadonlyArray<GitConfig>,
  excludesFile: string
): string => {
  const taken = TAKEN.flatMap(([name, read]) => {
    const values = configs.flatMap((config) => read(config.get(name) ?? "?") ?? [])
    const value = values.at(-1)
    return value === undefined ? [] : [`\t${name.slice("core.".length)} = ${value}\n`]
  })
  const isPlain = format.hash === "sha1"
  return [
    `[core]\n\trepositoryformatversion = ${isPlain ? 0 : 1}\n`,
    ...taken,
    `\texcludesFile = ${quoted(excludesFile)}\n`,
    FIXED,
    isPlain ? "" : `[extensions]\n\tobjectformat = ${format.hash}\n`
  ].join("")
}

const MAX_CONFIG = 2 * 1024 * 1024

const readConfig = Effect.fnUntraced(function* ({ gitDir, commonDir }: Repository, folder: string, name: string) {
  const isOwn: IsOwn = (real) => isWithin(gitDir, real) || isWithin(commonDir, real)
  const text = yield* readGitFile(posix.join(folder, name), isOwn, "the file of the repository's settings", MAX_CONFIG)
  const config = text === undefined ? new Map<string, string>() : parseGitConfig(text)
  return config === undefined ? yield* new GitUnusable() : config
})

/** The repository's settings, followed by those of the working tree if it has any. */
export const configsOf = Effect.fnUntraced(function* (repository: Repository) {
  const shared = yield* readConfig(repository, repository.commonDir, "config")
  if (formatOf(shared)?.hasTreeSettings !== true) return [shared]
  return [shared, yield* readConfig(repository, repository.gitDir, "config.worktree")]
})

/** The format of a repository with a working tree; a linked working tree may exist without a main one. */
export const requireFormat = Effect.fnUntraced(function* (
  { gitDir, commonDir }: Repository,
  configs: ReadonlyArray<GitConfig>
) {
  const format = formatOf(new Map(configs.flatMap((config) => [...config])))
  if (format === undefined || (format.isBare && gitDir === commonDir)) return yield* new GitUnusable()
  return format
})
