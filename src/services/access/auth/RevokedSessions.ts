import { Clock, Context, Effect, FileSystem, Layer, Option, Path, Schema, Semaphore } from "effect"
import { Settings } from "../../platform/settings/Settings.ts"
import { writeFileAtomic } from "../../platform/storage/atomicFile.ts"

/** Stands for every session that expires no later than its entry. */
const ALL = "*"

/** Only genuine sessions are ever listed, so this bound is far above real use; the soonest to expire go first. */
const MAX_ENTRIES = 10_000

const RevokedFile = Schema.fromJsonString(
  Schema.Array(Schema.Struct({ digest: Schema.String, expiresAt: Schema.Finite }))
)
const decodeFile = Schema.decodeUnknownEffect(RevokedFile)
const encodeFile = Schema.encodeEffect(RevokedFile)

export interface RevokedSessionsShape {
  /** Remembers a session as revoked until it would have expired, also on disk; a disk error is logged, not raised. */
  readonly revoke: (digest: string, expiresAt: number) => Effect.Effect<void>
  /** `expiresAt` is the session's own, in epoch milliseconds. */
  readonly isRevoked: (digest: string, expiresAt: number) => boolean
}

/** The sessions that were signed out before they expired, in `{svc_home}/revoked-sessions.json`, 0600. */
export class RevokedSessions extends Context.Service<RevokedSessions, RevokedSessionsShape>()(
  "agent-console/services/access/auth/RevokedSessions"
) {
  static readonly layer = Layer.effect(
    RevokedSessions,
    Effect.gen(function* () {
      const settings = yield* Settings
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
      const file = path.join(settings.svcHome, "revoked-sessions.json")
      const lock = yield* Semaphore.make(1)

      const load = fs.readFileString(file).pipe(
        Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed("[]")),
        Effect.flatMap(decodeFile),
        Effect.map((entries) => new Map(entries.map(({ digest, expiresAt }) => [digest, expiresAt]))),
        Effect.option
      )
      const loaded = yield* load
      const revoked = Option.getOrElse(loaded, () => new Map<string, number>())

      const prune = (now: number) => {
        for (const [digest, expiresAt] of revoked) if (expiresAt <= now) revoked.delete(digest)
        if (revoked.size <= MAX_ENTRIES) return
        const byExpiry = [...revoked].filter(([digest]) => digest !== ALL).sort((left, right) => left[1] - right[1])
        for (const [digest] of byExpiry.slice(0, revoked.size - MAX_ENTRIES)) revoked.delete(digest)
      }

      const save = fs.makeDirectory(settings.svcHome, { recursive: true, mode: 0o700 }).pipe(
        Effect.andThen(
          Effect.suspend(() => encodeFile([...revoked].map(([digest, expiresAt]) => ({ digest, expiresAt }))))
        ),
        Effect.flatMap((text) => writeFileAtomic(file, text, { mode: 0o600 })),
        Effect.provideContext(platform),
        Effect.catch(() => Effect.logWarning("Couldn't save a sign-out; it lasts until the next restart"))
      )

      const revoke = Effect.fn("RevokedSessions.revoke")(function* (digest: string, expiresAt: number) {
        prune(yield* Clock.currentTimeMillis)
        revoked.set(digest, expiresAt)
        yield* lock.withPermit(save)
      })

      if (Option.isNone(loaded)) {
        // Nobody knows any more which sessions were ended, so none of those begun before now counts.
        yield* Effect.logWarning(
          `Couldn't read ${file}, the list of ended sessions. It was set aside, and everybody has to sign in again.`
        )
        yield* Effect.ignore(fs.rename(file, `${file}.damaged`))
        yield* revoke(ALL, (yield* Clock.currentTimeMillis) + settings.sessionTtlMs - 1)
      }

      return RevokedSessions.of({
        revoke,
        isRevoked: (digest, expiresAt) => revoked.has(digest) || expiresAt <= (revoked.get(ALL) ?? 0)
      })
    })
  )
}
