import { readdir, realpath } from "node:fs/promises"
import { posix } from "node:path"
import { Effect } from "effect"
import { attempt } from "../../platform/storage/fileErrors.ts"
import { gitDirAt } from "./findRepository.ts"
import { pathIn, type Repository } from "./gitPaths.ts"
import { formatOf } from "./ownSettings.ts"
import { readGitFile } from "./readGitFile.ts"
import { configsOf } from "./repositoryFormat.ts"

const MAX_POINTER = 8192

/**
 * The linked working trees of a repository. Both sides must name each other: the repository the tree, and the tree's
 * `.git` file the repository.
 */
const linkedTrees = Effect.fnUntraced(function* ({ commonDir }: Repository) {
  const folder = posix.join(commonDir, "worktrees")
  const names = yield* attempt(() => readdir(folder)).pipe(Effect.orElseSucceed(() => []))
  const found = yield* Effect.forEach(names, (name) =>
    Effect.gen(function* () {
      const gitDir = posix.join(folder, name)
      const file = posix.join(gitDir, "gitdir")
      const content = yield* readGitFile(file, (real) => real === file, "a file that names a folder", MAX_POINTER)
      const path = content === undefined ? undefined : pathIn(content, "")
      if (path === undefined || posix.basename(path) !== ".git") return []
      const tree = yield* attempt(() => realpath(posix.dirname(posix.resolve(gitDir, path))))
      return (yield* gitDirAt(tree)) === gitDir ? [tree] : []
    }).pipe(Effect.orElseSucceed(() => []))
  )
  return found.flat()
})

/** The repository's main working tree, if it has one. */
const mainTree = Effect.fnUntraced(function* (repository: Repository) {
  const { workTree, gitDir, commonDir } = repository
  if (gitDir === commonDir) return [workTree]
  const [shared] = yield* configsOf(repository)
  const isBare = shared === undefined || formatOf(shared)?.isBare !== false
  return posix.basename(commonDir) === ".git" && !isBare ? [posix.dirname(commonDir)] : []
})

/** The folders of all working trees of a repository, the main one first. */
export const workTreesOf = Effect.fn("workTreesOf")(function* (repository: Repository) {
  return [...(yield* mainTree(repository)), ...(yield* linkedTrees(repository))]
})
