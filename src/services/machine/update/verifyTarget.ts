import { Effect, Option } from "effect"
import { RemoteRepository } from "./RemoteRepository.ts"
import type { Target } from "./resolveTarget.ts"
import { failedAt, UpdateFailure } from "./UpdateFailure.ts"
import { UpdateTarget } from "./UpdateTarget.ts"
import type { Place } from "./updateState.ts"
import { makeVerifySignature } from "./verifySignature.ts"

/** Of more branches, nobody can tell which one a version came from. */
const MOST_BRANCHES = 100

const refuse = (message: string) => new UpdateFailure({ step: "resolution", message })

/**
 * Fetches a version and refuses it unless it's on the remote's branch that the version in place follows and, if that's
 * asked for, signed. Whoever may push a tag to the remote could otherwise have anything installed.
 */
export const makeVerifyTarget = Effect.gen(function* () {
  const repository = yield* RemoteRepository
  const { allowedSigners } = yield* UpdateTarget
  const verifySignature = yield* makeVerifySignature

  const contains = ({ remote, refs }: Target, name: string, commit: string) => {
    const tip = refs.branches.get(name)
    return tip === undefined ? Effect.succeed(false) : repository.isPartOf(commit, { remote, name, tip })
  }

  const bringBranches = ({ remote }: Target, names: ReadonlyArray<string>) =>
    repository.bring(
      remote,
      names.map((name) => `refs/heads/${name}`)
    )

  /**
   * The branch that was checked out with the version in place, or else the main one. A version that isn't on that is of
   * a branch for older versions: the only one it's on.
   */
  const followedBranch = Effect.fnUntraced(function* (target: Target, installed: Place) {
    const { branches, main } = target.refs
    const followed =
      installed.branch === null
        ? Option.none<string>()
        : Option.filter(yield* repository.followedBy(installed.branch, target.remote), (name) => branches.has(name))
    if (Option.isSome(followed)) {
      yield* bringBranches(target, [followed.value])
      return followed.value
    }
    if (main !== undefined) {
      yield* bringBranches(target, [main])
      if (yield* contains(target, main, installed.ref)) return main
    }
    const others = [...branches.keys()].filter((name) => name !== main)
    if (others.length > MOST_BRANCHES || others.length === 0) return main
    yield* bringBranches(target, others)
    const holding = yield* Effect.filter(others, (name) => contains(target, name, installed.ref))
    return holding.length === 1 ? holding[0] : main
  })

  return Effect.fn("verifyTarget")(
    function* (target: Target, installed: Place) {
      const { tag, object, commit, remote } = target
      yield* repository.bring(remote, [`refs/tags/${tag}`])
      const here = yield* repository.commitOf(object)
      if (!Option.contains(here, commit)) {
        return yield* refuse(`${tag} was changed on the git remote just now: find out why, then try again`)
      }
      if (allowedSigners !== undefined) yield* verifySignature(target, allowedSigners)
      const branch = yield* followedBranch(target, installed)
      if (branch === undefined) {
        return yield* refuse(
          "couldn't tell which branch of the git remote this console follows: check that branch out, then try again"
        )
      }
      if (yield* contains(target, branch, commit)) return branch
      return yield* refuse(
        `${tag} isn't on ${branch}, the branch of the git remote that this console follows, so it may not be from the people you trust. If it's meant to be on another branch, check that one out first`
      )
    },
    Effect.catchTag("CommandFailed", (failure) => Effect.fail(failedAt("resolution")(failure)))
  )
})
