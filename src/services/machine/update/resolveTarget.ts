import { Effect, Option } from "effect"
import { latestTag, parsePin, Releases, type ReleaseTag } from "./Releases.ts"
import { RemoteRepository } from "./RemoteRepository.ts"
import { failedAt, UpdateFailure, UpdateReport } from "./UpdateReport.ts"
import { NO_REMOTE } from "./UpdateTarget.ts"
import type { RemoteRefs } from "./updateGit.ts"

/** The version an update goes to. */
export interface Target {
  readonly tag: string
  readonly version: string
  /** What the tag's name stands for: a tag object, or the commit itself. */
  readonly object: string
  /** The commit behind it, as the remote says. */
  readonly commit: string
  /** Name of the git remote it comes from. */
  readonly remote: string
  /** What else that remote has. */
  readonly refs: RemoteRefs
  /** Where it was found, for display. */
  readonly source: string
}

const refuse = (message: string) => new UpdateFailure({ step: "resolution", message })

/** Finds the version to install: the pinned one, else the latest published release, else the latest version tag. */
export const makeResolveTarget = Effect.gen(function* () {
  const repository = yield* RemoteRepository
  const releases = yield* Releases
  const report = yield* UpdateReport

  return Effect.fn("resolveTarget")(function* (pin: string | undefined) {
    const pinned = pin === undefined ? Option.none<ReleaseTag>() : parsePin(pin)
    if (pin !== undefined && Option.isNone(pinned)) {
      return yield* refuse(`${pin} isn't a version: use the form v1.2.3`)
    }
    const remote = yield* repository.remote.pipe(Effect.mapError(failedAt("resolution")))
    if (Option.isNone(remote)) {
      return yield* refuse(NO_REMOTE.message)
    }
    const { name, url } = remote.value
    const refs = yield* repository.refs(name).pipe(
      Effect.mapError(({ message, output }) => {
        const last = output.trim().split("\n").at(-1) ?? ""
        return refuse(
          `couldn't read the versions from the git remote: check the network and git's access to it (${last === "" ? message : last})`
        )
      })
    )
    const find = (release: ReleaseTag, source: string): Option.Option<Target> =>
      Option.fromNullishOr(refs.tags.find(({ tag }) => tag === release.tag)).pipe(
        Option.map(({ tag, commit }) => {
          const object = refs.objects.get(tag) ?? commit
          return { tag, object, commit, version: tag.slice(1), remote: name, refs, source }
        })
      )
    if (Option.isSome(pinned)) {
      const target = find(pinned.value, "requested")
      return Option.isSome(target) ? target.value : yield* refuse(`the git remote has no version ${pinned.value.tag}`)
    }
    const published = yield* releases.latest(url).pipe(
      Effect.map((release) => find(release, "latest published release")),
      Effect.catch(({ message }) =>
        Effect.as(report.detail(`${message}: using the latest version tag`), Option.none<Target>())
      )
    )
    const target = Option.orElse(published, () =>
      Option.flatMap(latestTag(refs.tags.map(({ tag }) => tag)), (release) => find(release, "latest version tag"))
    )
    return Option.isSome(target)
      ? target.value
      : yield* refuse("the git remote has no version yet (no tag of the form v1.2.3)")
  })
})
