import { Cache, Clock, Context, Duration, Effect, Exit, Layer, Schema } from "effect"
import type { ChildProcessSpawner } from "effect/process"
import { runGit } from "../git/runGit.ts"
import { Releases, ReleasesUnknown } from "../update/Releases.ts"
import { isAtLeast } from "../update/releaseRules.ts"
import { UpdateTarget } from "../update/UpdateTarget.ts"
import { packageInfo } from "./packageInfo.ts"

/** Whether a newer version of the console is published; where nobody tells, `latest` is null and `reason` says why. */
export const UpdateNotice = Schema.Struct({
  current: Schema.String,
  latest: Schema.NullOr(Schema.String),
  updateAvailable: Schema.Boolean,
  reason: Schema.optionalKey(Schema.String),
  /** Epoch milliseconds at which the answer was found. */
  checkedAt: Schema.Finite
}).annotate({ identifier: "UpdateNotice" })
export type UpdateNotice = typeof UpdateNotice.Type

const GOOD_FOR = Duration.hours(6)
/** A network that was away may be back. */
const UNKNOWN_FOR = Duration.minutes(5)

/** Looks for a newer version where updates come from; only when somebody asks. */
export class UpdateCheck extends Context.Service<
  UpdateCheck,
  {
    /** Up to 6 hours old; asked for once however many wait. */
    readonly check: Effect.Effect<UpdateNotice>
  }
>()("agent-console/services/version/UpdateCheck") {
  static readonly layer = Layer.effect(
    UpdateCheck,
    Effect.gen(function* () {
      const { directory, releasesUrl } = yield* UpdateTarget
      const releases = yield* Releases
      const platform = yield* Effect.context<ChildProcessSpawner.ChildProcessSpawner>()

      /** Where the code came from; an address that is set stands above it. */
      const remote = runGit({ directory, args: ["remote", "get-url", "origin"], ceilings: [directory] }).pipe(
        Effect.provideContext(platform),
        Effect.mapError(({ message }) => new ReleasesUnknown({ message })),
        Effect.filterOrFail(
          ({ isOk }) => isOk,
          () => new ReleasesUnknown({ message: "the console does not run from a git checkout with a remote" })
        ),
        Effect.map(({ text }) => text.trim())
      )

      const ask = Effect.gen(function* () {
        const { tag, version } = yield* releases.latest(releasesUrl === undefined ? yield* remote : "")
        const updateAvailable = !isAtLeast(packageInfo.version, version)
        return { latest: tag.slice(1), updateAvailable }
      }).pipe(
        Effect.catchTag("ReleasesUnknown", ({ message }) =>
          Effect.succeed({ latest: null, updateAvailable: false, reason: message })
        ),
        Effect.flatMap((found) =>
          Effect.map(Clock.currentTimeMillis, (checkedAt) => ({ current: packageInfo.version, ...found, checkedAt }))
        )
      )

      const answers = yield* Cache.makeWith((_: "update"): Effect.Effect<UpdateNotice> => ask, {
        capacity: 1,
        timeToLive: (exit) => (Exit.isSuccess(exit) && exit.value.latest !== null ? GOOD_FOR : UNKNOWN_FOR)
      })
      return UpdateCheck.of({ check: Cache.get(answers, "update") })
    })
  )
}
