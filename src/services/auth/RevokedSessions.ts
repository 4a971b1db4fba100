import { Clock, Context, Effect, FileSystem, Layer, Path, Schema, Semaphore } from "effect"
import { writeFileAtomic } from "../files/atomicFile.ts"
import { Settings } from "../settings/Settings.ts"

/** Only genuine sessions are ever listed, so this bound is far above real use; the soonest to expire go first. */
const MAX_ENTRIES = 10_000

const RevokedFile = Schema.fromJsonString(
  Schema.Array(Schema.Struct({ digest: Schema.String, expiresAt: Schema.Finite }))
)
const decodeFile = Schema.decodeUnknownEffect(RevokedFile)
const encodeFile = Schema.encodeEffect(RevokedFile)

export interface RevokedSessionsShape {
  /** Remembers a session as ended until it would have expired, on disk as well; a disk fault is logged, not raised. */
  readonly revoke: (digest: string, expiresAt: number) => Effect.Effect<void>
  readonly isRevoked: (digest: string) => boolean
}

/** The sessions that were logged out before their time, in `{svc_home}/revoked-sessions.json`, 0600 (D21). */
export class RevokedSessions extends Context.Service<RevokedSessions, RevokedSessionsShape>()(
  "agent-console/services/auth/RevokedSessions"
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
        Effect.tapError(() =>
          Effect.logWarning(
            "the list of ended sessions is damaged and was set aside; log in again everywhere to be safe"
          )
        ),
        Effect.catch(() => fs.rename(file, `${file}.damaged`).pipe(Effect.ignore, Effect.as([])))
      )
      const revoked = new Map((yield* load).map((entry) => [entry.digest, entry.expiresAt]))

      const prune = (now: number) => {
        for (const [digest, expiresAt] of revoked) if (expiresAt <= now) revoked.delete(digest)
        if (revoked.size <= MAX_ENTRIES) return
        const byExpiry = [...revoked].sort((left, right) => left[1] - right[1])
        for (const [digest] of byExpiry.slice(0, revoked.size - MAX_ENTRIES)) revoked.delete(digest)
      }

      const save = fs.makeDirectory(settings.svcHome, { recursive: true, mode: 0o700 }).pipe(
        Effect.andThen(
          Effect.suspend(() => encodeFile([...revoked].map(([digest, expiresAt]) => ({ digest, expiresAt }))))
        ),
        Effect.flatMap((text) => writeFileAtomic(file, text, { mode: 0o600 })),
        Effect.provideContext(platform),
        Effect.catch(() => Effect.logWarning("a logout could not be saved; it holds until the next restart"))
      )

      const revoke = Effect.fn("RevokedSessions.revoke")(function* (digest: string, expiresAt: number) {
        prune(yield* Clock.currentTimeMillis)
        revoked.set(digest, expiresAt)
        yield* lock.withPermit(save)
      })

      return RevokedSessions.of({ revoke, isRevoked: (digest) => revoked.has(digest) })
    })
  )
}
