import { readdir, realpath, stat } from "node:fs/promises"
import { posix } from "node:path"
import { Clock, Context, Effect, Layer, Ref, Schema, Semaphore } from "effect"
import type { ChildProcessSpawner } from "effect/process"
import { GitFailure } from "../../platform/process/runGit.ts"
import { Settings } from "../../platform/settings/Settings.ts"
import { attempt, FileMissing, FileRefused } from "../../platform/storage/fileErrors.ts"
import { findRepository, gitDirAt, pathIn, type Repository } from "./findRepository.ts"
import { allowedBases, type GitState, isAllowed, NO_REPOSITORY } from "./gitRules.ts"
import { lookAtRepository } from "./lookAtRepository.ts"
import { configsOf, formatOf } from "./ownSettings.ts"
import { readGitFile } from "./readGitFile.ts"

/** Maximum number of registered directories, and how long they last in milliseconds. */
export const MAX_WORKDIRS = 100
export const WORKDIR_LIFETIME_MS = 60 * 60 * 1000

interface Entry {
  readonly workdir: string
  readonly at: number
}

/** Working directories by session key, the oldest registration first. */
export type Workdirs = ReadonlyMap<string, Entry>

const alive = (workdirs: Workdirs, now: number) => [...workdirs].filter(([, { at }]) => now - at < WORKDIR_LIFETIME_MS)

/** Registers a session's directory, replacing an earlier one; beyond 100, the oldest is dropped. */
export const register = (workdirs: Workdirs, sessionKey: string, workdir: string, now: number): Workdirs => {
  const others = alive(workdirs, now).filter(([key]) => key !== sessionKey)
  return new Map([...others.slice(-(MAX_WORKDIRS - 1)), [sessionKey, { workdir, at: now }]])
}

/** Removes a session's directory. */
export const unregister = (workdirs: Workdirs, sessionKey: string): Workdirs =>
  new Map([...workdirs].filter(([key]) => key !== sessionKey))

/** The directory of a session; `undefined` an hour after it was registered. */
export const lookUp = (workdirs: Workdirs, sessionKey: string, now: number): string | undefined => {
  const entry = workdirs.get(sessionKey)
  return entry !== undefined && now - entry.at < WORKDIR_LIFETIME_MS ? entry.workdir : undefined
}

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
const workTreesOf = Effect.fn("workTreesOf")(function* (repository: Repository) {
  return [...(yield* mainTree(repository)), ...(yield* linkedTrees(repository))]
})

/** The directory is outside the allowed locations. */
export class WorkdirForbidden extends Schema.TaggedError<WorkdirForbidden>()("WorkdirForbidden", {
  message: Schema.String
}) {}

export interface GitInfoShape {
  /** The git state of the session's registered directory, or of the one the console was started in. */
  readonly state: (sessionKey: string | undefined) => Effect.Effect<GitState, GitFailure>
  /** Registers the directory a session works in, for one hour. */
  readonly register: (
    sessionKey: string,
    workdir: string
  ) => Effect.Effect<void, WorkdirForbidden | FileRefused | FileMissing>
  readonly unregister: (sessionKey: string) => Effect.Effect<void>
}

/** The number of repositories inspected at once, each with one `git` at a time. */
const MAX_LOOKS = 2
/** The time limit of a response, including the wait for earlier ones. */
const TIME_LIMIT = "10 seconds"

const real = (path: string) => Effect.option(attempt(() => realpath(path)))

/** Branch and state of the directories that sessions work in. */
export class GitInfo extends Context.Service<GitInfo, GitInfoShape>()("agent-console/services/knowledge/git/GitInfo") {
  static readonly layer = Layer.effect(
    GitInfo,
    Effect.gen(function* () {
      const { installDir, workspaceRoot } = yield* Settings
      const platform = yield* Effect.context<ChildProcessSpawner.ChildProcessSpawner>()
      const looks = yield* Semaphore.make(MAX_LOOKS)
      const workdirs = yield* Ref.make<Workdirs>(new Map())

      /** The folders of the console's own repository, the main one first; none outside a repository. */
      const worktrees = Effect.gen(function* () {
        const from = yield* attempt(() => realpath(installDir))
        const repository = yield* findRepository(from, [], [])
        return repository === undefined ? [] : yield* workTreesOf(repository)
      }).pipe(Effect.orElseSucceed(() => []))

      /** Looked up each time, because worktrees change and folders may be links. */
      const bases = Effect.gen(function* () {
        const trees = workspaceRoot === undefined ? yield* worktrees : []
        const found = yield* Effect.forEach(allowedBases(workspaceRoot, trees, installDir), real)
        return found.flatMap((one) => (one._tag === "Some" ? [one.value] : []))
      })

      const status = (directory: string, ceilings: ReadonlyArray<string>, allowed: ReadonlyArray<string>) =>
        looks.withPermit(lookAtRepository(directory, ceilings, allowed)).pipe(
          Effect.provideContext(platform),
          Effect.timeout(TIME_LIMIT),
          Effect.catchTag("TimeoutError", (cause) =>
            Effect.fail(new GitFailure({ message: "git is busy with other repositories: try again later", cause }))
          )
        )

      const registered = Effect.fnUntraced(function* (sessionKey: string) {
        const now = yield* Clock.currentTimeMillis
        return lookUp(yield* Ref.get(workdirs), sessionKey, now)
      })

      const state = Effect.fn("GitInfo.state")(function* (sessionKey: string | undefined) {
        const workdir = sessionKey === undefined ? undefined : yield* registered(sessionKey)
        const allowed = yield* bases
        const now = yield* real(workdir ?? installDir)
        if (workdir === undefined) return now._tag === "None" ? NO_REPOSITORY : yield* status(now.value, [], allowed)
        // A former folder inside may now be a link to the outside.
        if (now._tag === "None" || !isAllowed(allowed, now.value)) return NO_REPOSITORY
        const ceilings = allowed.map((base) => posix.dirname(base))
        return yield* status(now.value, ceilings, allowed)
      })

      const registerWorkdir = Effect.fn("GitInfo.register")(function* (sessionKey: string, workdir: string) {
        if (!posix.isAbsolute(workdir) || workdir.includes("\0")) {
          return yield* new FileRefused({ message: "workdir: must be an absolute path" })
        }
        const allowed = yield* bases
        const forbidden = new WorkdirForbidden({
          message: "this directory is outside the folders where sessions may work"
        })
        const found = yield* real(workdir)
        const place = found._tag === "Some" ? found.value : posix.resolve(workdir)
        if (!isAllowed(allowed, place)) return yield* forbidden
        const info = yield* attempt(() => stat(place)).pipe(Effect.mapError(() => new FileMissing()))
        if (!info.isDirectory()) return yield* new FileRefused({ message: "workdir: isn't a directory" })
        const now = yield* Clock.currentTimeMillis
        yield* Ref.update(workdirs, (all) => register(all, sessionKey, place, now))
      })

      return GitInfo.of({
        state,
        register: registerWorkdir,
        unregister: (sessionKey) => Ref.update(workdirs, (all) => unregister(all, sessionKey))
      })
    })
  )
}
