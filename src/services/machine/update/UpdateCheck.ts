import { Cache, Clock, Context, Duration, Effect, Exit, Layer, Result } from "effect"
import type { ChildProcessSpawner } from "effect/process"
import { reasonOf } from "../../../contract/failure.ts"
import type { UpdateNotice } from "../../../contract/schema/machine.ts"
import { runGit } from "../../platform/process/runGit.ts"
import { packageInfo } from "../../platform/version/packageInfo.ts"
import { isAtLeast, Releases, ReleasesUnknown } from "./Releases.ts"
import { NO_CHECKOUT, NO_REMOTE, UpdateTarget } from "./UpdateTarget.ts"

const GOOD_FOR = Duration.hours(6)
/** The network may be back by then. */
const UNKNOWN_FOR = Duration.minutes(5)

/** Checks for a newer version, only when asked to. */
export class UpdateCheck extends Context.Service<
  UpdateCheck,
  {
    /** Up to 6 hours old; one request however many are waiting. */
    readonly check: Effect.Effect<UpdateNotice>
  }
>()("agent-console/services/platform/version/UpdateCheck") {
  static readonly layer = Layer.effect(
    UpdateCheck,
    Effect.gen(function* () {
      const { directory, releasesUrl } = yield* UpdateTarget
      const releases = yield* Releases
      const platform = yield* Effect.context<ChildProcessSpawner.ChildProcessSpawner>()

      const git = (...args: ReadonlyArray<string>) =>
        runGit({ directory, args, ceilings: [directory] }).pipe(
          Effect.provideContext(platform),
          Effect.mapError(({ message }) => new ReleasesUnknown({ message }))
        )

      /** Where the code came from, as the update command looks it up. */
      const remote = Effect.gen(function* () {
        const up = yield* git("rev-parse", "--show-cdup")
        if (!up.isOk || up.text.trim() !== "") return yield* new ReleasesUnknown(NO_CHECKOUT)
        const names = (yield* git("remote")).text.split("\n").filter((name) => name !== "")
        const name = names.includes("origin") ? "origin" : names[0]
        if (name === undefined) return yield* new ReleasesUnknown(NO_REMOTE)
        return (yield* git("remote", "get-url", name)).text.trim()
      })

      const ask = Effect.gen(function* () {
        const from = yield* Effect.result(remote)
        const installable = Result.isSuccess(from)
        const why = installable ? {} : reasonOf(from.failure)
        // A configured address takes precedence over the checkout's.
        const address = releasesUrl === undefined ? yield* Effect.fromResult(from) : ""
        return yield* releases.latest(address).pipe(
          Effect.map(({ tag, version }) => ({
            latest: tag.slice(1),
            updateAvailable: !isAtLeast(packageInfo.version, version),
            installable,
            ...why
          })),
          Effect.catchTag("ReleasesUnknown", (unknown) =>
            Effect.succeed({ latest: null, updateAvailable: false, installable, ...reasonOf(unknown) })
          )
        )
      }).pipe(
        Effect.catchTag("ReleasesUnknown", (unknown) =>
          Effect.succeed({ latest: null, updateAvailable: false, installable: false, ...reasonOf(unknown) })
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
