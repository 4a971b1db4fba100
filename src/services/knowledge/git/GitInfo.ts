import { realpath, stat } from "node:fs/promises"
import { posix } from "node:path"
import { Clock, Context, Effect, Layer, Ref, Schema, Semaphore } from "effect"
import type { ChildProcessSpawner } from "effect/process"
import { type GitFailure, runGit } from "../../platform/process/runGit.ts"
import { Settings } from "../../platform/settings/Settings.ts"
import { attempt, FileMissing, FileRefused } from "../../platform/storage/fileErrors.ts"
import {
  allowedBases,
  filterOverrides,
  type GitState,
  isAllowed,
  isHeaderLine,
  NO_REPOSITORY,
  parseStatus,
  parseWorktrees
} from "./gitRules.ts"
import { lookUp, register, unregister, type Workdirs } from "./workdirRegistry.ts"

/** The directory isn't in a place that may be registered. */
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

/** How many `git` processes run at once. */
const MAX_PROCESSES = 4

const real = (path: string) => Effect.option(attempt(() => realpath(path)))

/** Branch and state of the directories that sessions work in. */
export class GitInfo extends Context.Service<GitInfo, GitInfoShape>()("agent-console/services/knowledge/git/GitInfo") {
  static readonly layer = Layer.effect(
    GitInfo,
    Effect.gen(function* () {
      const { installDir, workspaceRoot } = yield* Settings
      const platform = yield* Effect.context<ChildProcessSpawner.ChildProcessSpawner>()
      const processes = yield* Semaphore.make(MAX_PROCESSES)
      const workdirs = yield* Ref.make<Workdirs>(new Map())

      const git = (run: Parameters<typeof runGit>[0]) =>
        processes.withPermit(runGit(run)).pipe(Effect.provideContext(platform))

      const worktrees = git({
        directory: installDir,
        args: ["worktree", "list", "--porcelain", "-z"],
        ceilings: []
      }).pipe(
        Effect.map(({ text, isOk }) => (isOk ? parseWorktrees(text) : [])),
        // Without git or outside a repository, only the working directory counts.
        Effect.catchTag("GitFailure", () => Effect.succeed([]))
      )

      /** Looked up each time, because worktrees come and go and folders may be links. */
      const bases = Effect.gen(function* () {
        const trees = workspaceRoot === undefined ? yield* worktrees : []
        const found = yield* Effect.forEach(allowedBases(workspaceRoot, trees, installDir), real)
        return found.flatMap((one) => (one._tag === "Some" ? [one.value] : []))
      })

      const status = Effect.fnUntraced(function* (directory: string, ceilings: ReadonlyArray<string>) {
        const filters = yield* git({
          directory,
          args: [
            "config",
            "--show-scope",
            "--name-only",
            "-z",
            "--get-regexp",
            "^filter\\..*\\.(clean|smudge|process|required)$"
          ],
          ceilings
        })
        const { text, isOk } = yield* git({
          directory,
          args: ["status", "--porcelain=v2", "--branch", "--untracked-files=normal", "--ignore-submodules=dirty"],
          ceilings,
          settings: filterOverrides(filters.text),
          // One change is enough to be dirty, however many there are.
          isEnough: (output) =>
            output
              .split("\n")
              .slice(0, -1)
              .some((line) => !isHeaderLine(line))
        })
        return isOk ? parseStatus(text.split("\n")) : NO_REPOSITORY
      })

      const registered = Effect.fnUntraced(function* (sessionKey: string) {
        const now = yield* Clock.currentTimeMillis
        return lookUp(yield* Ref.get(workdirs), sessionKey, now)
      })

      const state = Effect.fn("GitInfo.state")(function* (sessionKey: string | undefined) {
        const workdir = sessionKey === undefined ? undefined : yield* registered(sessionKey)
        if (workdir === undefined) return yield* status(installDir, [])
        const allowed = yield* bases
        const now = yield* real(workdir)
        // What was a folder inside may now be a link to the outside.
        if (now._tag === "None" || !isAllowed(allowed, now.value)) return NO_REPOSITORY
        return yield* status(
          now.value,
          allowed.map((base) => posix.dirname(base))
        )
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
