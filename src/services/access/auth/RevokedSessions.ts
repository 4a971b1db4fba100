import { Clock, Context, Effect, FileSystem, Latch, Layer, Option, Path, Schema, Semaphore } from "effect"
import { Settings } from "../../platform/settings/Settings.ts"
import { writeFileAtomic } from "../../platform/storage/atomicFile.ts"
import { SessionEnds } from "./SessionEnds.ts"

/** Stands for every session that expires no later than its entry. */
const ALL = "*"

/** Only genuine sessions are ever listed, so this bound is far above real use; the soonest to expire go first. */
const MAX_ENTRIES = 10_000

/**
 * How often sessions that have something open are looked at. One look at all of them instead of a timer for each: a
 * timer can't be set for more than 24 days, and is wrong after the clock was put right or the machine has slept.
 */
const LOOK_EVERY = "500 millis"

/** How often a sign-out is written again that couldn't be: until then a restart would forget it. */
const SAVE_AGAIN_AFTER = "5 seconds"

const RevokedFile = Schema.fromJsonString(
  Schema.Array(Schema.Struct({ digest: Schema.String, expiresAt: Schema.Finite }))
)
const decodeFile = Schema.decodeUnknownEffect(RevokedFile)
const encodeFile = Schema.encodeEffect(RevokedFile)

/** A session's name and when it expires, in epoch milliseconds. */
interface Entry {
  readonly digest: string
  readonly expiresAt: number
}

export interface RevokedSessionsShape {
  /**
   * Remembers sessions as revoked until they would have expired: all of them at once, then on disk, even for somebody
   * who doesn't wait for it. Returns whether it's on disk; if not, it's tried again until it is.
   */
  readonly revoke: (sessions: ReadonlyArray<Entry>) => Effect.Effect<boolean>
  /** `expiresAt` is the session's own, in epoch milliseconds. */
  readonly isRevoked: (digest: string, expiresAt: number) => boolean
  /**
   * Calls the listener as soon as the session is revoked, or within half a second after it has expired. Calls it at
   * once if that has happened already. The returned function takes it back.
   */
  readonly onEnded: (session: Entry, listener: () => void) => () => void
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
        Effect.provideContext(platform)
      )
      const unsaved = Latch.makeUnsafe()
      const saveOrKeepTrying = save.pipe(
        Effect.tap(Effect.sync(() => unsaved.closeUnsafe())),
        Effect.as(true),
        Effect.catch((cause) =>
          Effect.as(
            Effect.andThen(
              Effect.logWarning("Couldn't save a sign-out: until that works, it only lasts until a restart", cause),
              Effect.sync(() => unsaved.openUnsafe())
            ),
            false
          )
        )
      )
      yield* unsaved.await.pipe(
        Effect.andThen(Effect.sleep(SAVE_AGAIN_AFTER)),
        Effect.andThen(lock.withPermit(Effect.uninterruptible(save))),
        Effect.andThen(Effect.sync(() => unsaved.closeUnsafe())),
        Effect.andThen(Effect.logInfo("Saved a sign-out that couldn't be saved before")),
        // Its first failure stands in the log.
        Effect.ignore,
        Effect.forever,
        Effect.forkScoped
      )

      const isRevoked = (digest: string, expiresAt: number) =>
        revoked.has(digest) || expiresAt <= (revoked.get(ALL) ?? 0)

      const clock = yield* Clock.Clock
      const ends = new SessionEnds()
      const awaited = Latch.makeUnsafe()
      const hasEnded = ({ digest, expiresAt }: Entry) =>
        expiresAt <= clock.currentTimeMillisUnsafe() || isRevoked(digest, expiresAt)
      const look = Effect.sync(() => {
        ends.tell(hasEnded)
        if (ends.size === 0) awaited.closeUnsafe()
      })
      yield* awaited.await.pipe(
        Effect.andThen(Effect.sleep(LOOK_EVERY)),
        Effect.andThen(look),
        Effect.forever,
        Effect.forkScoped
      )

      const onEnded = (session: Entry, listener: () => void) => {
        // Asked again here: it may have been ended between the check of its cookie and now.
        if (hasEnded(session)) {
          listener()
          return () => undefined
        }
        awaited.openUnsafe()
        return ends.add(session, listener)
      }

      const revoke = Effect.fn("RevokedSessions.revoke")(function* (sessions: ReadonlyArray<Entry>) {
        prune(yield* Clock.currentTimeMillis)
        for (const { digest, expiresAt } of sessions) revoked.set(digest, expiresAt)
        ends.tell(hasEnded)
        return yield* lock.withPermit(saveOrKeepTrying)
      }, Effect.uninterruptible)

      if (Option.isNone(loaded)) {
        // Nobody knows any more which sessions were ended, so none of those begun before now counts.
        yield* Effect.logWarning(
          `Couldn't read ${file}, the list of ended sessions. It was set aside, and everybody has to sign in again.`
        )
        yield* Effect.ignore(fs.rename(file, `${file}.damaged`))
        yield* revoke([{ digest: ALL, expiresAt: (yield* Clock.currentTimeMillis) + settings.sessionTtlMs - 1 }])
      }

      return RevokedSessions.of({ revoke, isRevoked, onEnded })
    })
  )
}
