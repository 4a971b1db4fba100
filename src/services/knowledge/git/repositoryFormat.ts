import { posix } from "node:path"
import { Effect } from "effect"
import { isWithin } from "../files/relativePath.ts"
import { type GitConfig, parseGitConfig } from "./gitConfig.ts"
import type { Repository } from "./gitPaths.ts"
import { formatOf } from "./ownSettings.ts"
import { GitUnusable, type IsOwn, readGitFile } from "./readGitFile.ts"

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
