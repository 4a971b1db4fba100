import { Context, Effect, Layer, Option } from "effect"
import type { CommandFailed } from "./Commands.ts"
import { makeUpdateGit, parseRemoteRefs, type RemoteRefs } from "./updateGit.ts"

export interface RemoteRepositoryShape {
  /** Name and address of the remote that releases come from, if there is one. */
  readonly remote: Effect.Effect<Option.Option<{ readonly name: string; readonly url: string }>, CommandFailed>
  /** Its tags and branches now. */
  readonly refs: (remote: string) => Effect.Effect<RemoteRefs, CommandFailed>
  /** The remote's branch that a local one follows, if it follows one of this remote's. */
  readonly followedBy: (branch: string, remote: string) => Effect.Effect<Option.Option<string>>
  /** Brings what's behind these names, without giving it a name here. */
  readonly bring: (remote: string, refs: ReadonlyArray<string>) => Effect.Effect<void, CommandFailed>
  /** The commit behind an object, if that's here. */
  readonly commitOf: (object: string) => Effect.Effect<Option.Option<string>>
  /** Whether a commit is part of a branch's history; a checkout without the whole history gets it where that's needed. */
  readonly isPartOf: (
    commit: string,
    branch: { readonly remote: string; readonly name: string; readonly tip: string }
  ) => Effect.Effect<boolean, CommandFailed>
  /** Names an object as a tag, whatever had that name. */
  readonly keepTag: (tag: string, object: string) => Effect.Effect<void, CommandFailed>
}

const ASK_LIMIT = "30 seconds"
const FETCH_LIMIT = "5 minutes"

/** `git merge-base --is-ancestor` says no with this exit code. */
const IS_NOT = 1

/** The repository that releases come from. */
export class RemoteRepository extends Context.Service<RemoteRepository, RemoteRepositoryShape>()(
  "agent-console/services/machine/update/RemoteRepository"
) {
  static readonly layer = Layer.effect(
    RemoteRepository,
    Effect.gen(function* () {
      const { git, local, line } = yield* makeUpdateGit

      const remote = Effect.gen(function* () {
        const names = (yield* local("remote")).split("\n").filter((name) => name !== "")
        const name = names.includes("origin") ? "origin" : names[0]
        if (name === undefined) return Option.none()
        return Option.some({ name, url: yield* line("remote", "get-url", name) })
      })

      const followedBy = Effect.fn("RemoteRepository.followedBy")(
        function* (branch: string, of: string) {
          if ((yield* line("config", "--get", `branch.${branch}.remote`)) !== of) return Option.none()
          const merge = yield* line("config", "--get", `branch.${branch}.merge`)
          return merge.startsWith("refs/heads/") ? Option.some(merge.slice("refs/heads/".length)) : Option.none()
        },
        Effect.orElseSucceed(() => Option.none<string>())
      )

      // An empty map: the remote-tracking branches stay as their owner left them.
      const bring = (from: string, refs: ReadonlyArray<string>, ...options: ReadonlyArray<string>) =>
        Effect.asVoid(
          git(
            ["fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--refmap=", ...options, from, ...refs],
            FETCH_LIMIT
          )
        )

      const isAncestor = (commit: string, of: string) =>
        local("merge-base", "--is-ancestor", commit, of).pipe(
          Effect.as(true),
          Effect.catchIf(
            ({ code }) => code === IS_NOT,
            () => Effect.succeed(false)
          )
        )

      const isPartOf = Effect.fn("RemoteRepository.isPartOf")(function* (
        commit: string,
        branch: { readonly remote: string; readonly name: string; readonly tip: string }
      ) {
        if (yield* isAncestor(commit, branch.tip)) return true
        if ((yield* line("rev-parse", "--is-shallow-repository")) !== "true") return false
        yield* bring(branch.remote, [`refs/heads/${branch.name}`], "--unshallow")
        return yield* isAncestor(commit, branch.tip)
      })

      return RemoteRepository.of({
        remote,
        refs: (name) =>
          Effect.map(
            git(["ls-remote", "--symref", name, "HEAD", "refs/heads/*", "refs/tags/*"], ASK_LIMIT),
            parseRemoteRefs
          ),
        followedBy,
        bring: (from, refs) => bring(from, refs),
        commitOf: (object) => Effect.option(line("rev-parse", "--verify", "--quiet", `${object}^{commit}`)),
        isPartOf,
        keepTag: (tag, object) => Effect.asVoid(local("update-ref", `refs/tags/${tag}`, object))
      })
    })
  )
}
