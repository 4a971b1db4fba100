import { posix } from "node:path"
import { Effect } from "effect"
import { gitVariables, runGit } from "../../platform/process/runGit.ts"
import { findRepository } from "./findRepository.ts"
import type { GitConfig } from "./gitConfig.ts"
import { type GitState, NO_REPOSITORY, SHORT_HASH } from "./gitRules.ts"
import { copyRepository, objectsOf, ownGitDir, UNBORN, writeOwn } from "./ownGitDir.ts"
import { configsOf, OWNERS_PATTERN, ownSettings, requireFormat } from "./ownSettings.ts"
import { branchName, type Head, readHead, reftableHead } from "./readHead.ts"

/** What the user of the console has set for all repositories. */
interface OwnerSettings {
  readonly config: GitConfig
  /** File with patterns of files to ignore; `""` for none. */
  readonly excludesFile: string
}

const parse = (output: string): GitConfig =>
  new Map(
    output.split("\0").flatMap((record) => {
      const [name = "", ...value] = record.split("\n")
      return name === "" ? [] : [[name, value.length === 0 ? "true" : value.join("\n")] as const]
    })
  )

/** Reads the owner's settings with git, from the console's own git directory, which has none itself. */
const ownerSettings = Effect.fn("ownerSettings")(function* (own: string) {
  const { text, isOk } = yield* runGit({
    directory: own,
    args: ["config", "-z", "--get-regexp", OWNERS_PATTERN],
    ceilings: [],
    variables: { GIT_DIR: own }
  })
  // It fails if there are none.
  const config = parse(isOk ? text : "")
  const { HOME: home = "", XDG_CONFIG_HOME: xdg = posix.join(home, ".config") } = yield* gitVariables("owner")
  const named = config.get("core.excludesfile") ?? posix.join(xdg, "git", "ignore")
  const path = named.startsWith("~/") ? posix.join(home, named.slice(2)) : named
  return { config, excludesFile: posix.isAbsolute(path) ? path : "" } satisfies OwnerSettings
})

const STATUS = ["status", "--porcelain", "-z", "--no-renames", "--untracked-files=normal", "--ignore-submodules=dirty"]

const branchOf = ({ ref, object }: Head): string | null =>
  ref === undefined ? (object ?? "").slice(0, SHORT_HASH) : branchName(ref)

/**
 * Returns branch and state of a folder's repository without using its settings: git runs with a directory that the
 * console creates, with a copy of the repository's index and with its objects. Each file is read once, so that a
 * concurrent change can't mix two states.
 */
export const lookAtRepository = Effect.fn("lookAtRepository")(
  function* (from: string, ceilings: ReadonlyArray<string>, bases: ReadonlyArray<string>) {
    const repository = yield* findRepository(from, ceilings, bases)
    if (repository === undefined) return NO_REPOSITORY
    const configs = yield* configsOf(repository)
    const format = yield* requireFormat(repository, configs)
    const head = yield* format.refs === "files" ? readHead(repository) : reftableHead(repository, format)
    const objects = yield* objectsOf(repository, bases)
    const own = yield* ownGitDir
    const owner = yield* ownerSettings(own)
    yield* writeOwn(own, "config", ownSettings(format, [owner.config, ...configs], owner.excludesFile))
    yield* writeOwn(own, "HEAD", head.object === undefined ? UNBORN : `${head.object}\n`)
    yield* copyRepository(repository, format, own)
    const { isOk, text } = yield* runGit({
      directory: repository.workTree,
      args: STATUS,
      ceilings: [],
      settings: "none",
      variables: {
        GIT_DIR: own,
        GIT_WORK_TREE: repository.workTree,
        GIT_INDEX_FILE: posix.join(own, "index"),
        GIT_OBJECT_DIRECTORY: objects
      },
      // One change is enough to be dirty.
      isEnough: (output) => output !== ""
    })
    return isOk ? ({ branch: branchOf(head), dirty: text !== "" } satisfies GitState) : NO_REPOSITORY
  },
  Effect.scoped,
  Effect.catchTag("GitUnusable", () => Effect.succeed(NO_REPOSITORY))
)
