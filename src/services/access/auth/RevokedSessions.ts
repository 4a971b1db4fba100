import { Clock, Context, Effect, FileSystem, Latch, Layer, Option, Path, Schema, Semaphore } from "effect"
import { Settings } from "../../platform/settings/Settings.ts"
import { writeFileAtomic } from "../../platform/storage/atomicFile.ts"

/** A session's name and its expiry in epoch milliseconds. */
interface Watched {
  readonly digest: string
  readonly expiresAt: number
}

/** A session with open connections. */
interface Listened {
  readonly session: Watched
  readonly listeners: Set<() => void>
}

/** The listeners for the end of each session: one record per session, however many connections it has. */
export class SessionEnds {
  private readonly entries = new Map<string, Listened>()

  /** The number of sessions with open connections. */
  get size(): number {
    return this.entries.size
  }

  /** Calls the listener when the session ends, unless the returned function is called before. */
  add(session: Watched, listener: () => void): () => void {
    let entry = this.entries.get(session.digest)
    if (entry === undefined) {
      entry = { session, listeners: new Set() }
      this.entries.set(session.digest, entry)
    }
    const { listeners } = entry
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.entries.get(session.digest)?.listeners === listeners) {
        this.entries.delete(session.digest)
      }
    }
  }

  /** Calls the listeners of all ended sessions. */
  notify(hasEnded: (session: Watched) => boolean): void {
    for (const { listeners, session } of [...this.entries.values()]) {
      if (!hasEnded(session)) continue
      this.entries.delete(session.digest)
      for (const listener of listeners) listener()
    }
  }
}

/** The key that covers every session which expires no later than its entry. */
const ALL = "*"

/** Far above real use, because only genuine sessions are listed; those that expire first are dropped first. */
const MAX_ENTRIES = 10_000

/**
 * How often the expiry of sessions with open connections is checked. One check for all replaces a timer for each,
 * because a timer can't exceed 24 days and is wrong after a clock change or a suspended machine.
 */
const LOOK_EVERY = "500 millis"

/** How often a failed write of a sign-out is retried; until it succeeds, a restart would lose the sign-out. */
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
   * Marks sessions as revoked until they would have expired: in memory at once, then on disk, even if the caller is
   * interrupted. Returns whether the write succeeded; if not, it's retried until it does.
   */
  readonly revoke: (sessions: ReadonlyArray<Entry>) => Effect.Effect<boolean>
  /** `expiresAt` is the session's expiry, in epoch milliseconds. */
  readonly isRevoked: (digest: string, expiresAt: number) => boolean
  /**
   * Calls the listener when the session is revoked, or within half a second after it expires; at once if it has already
   * ended. The returned function removes the listener.
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
        // The first failure was logged.
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
        ends.notify(hasEnded)
        if (ends.size === 0) awaited.closeUnsafe()
      })
      yield* awaited.await.pipe(
        Effect.andThen(Effect.sleep(LOOK_EVERY)),
        Effect.andThen(look),
        Effect.forever,
        Effect.forkScoped
      )

      const onEnded = (session: Entry, listener: () => void) => {
        // Checked again, because the session may have ended since its cookie was checked.
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
        ends.notify(hasEnded)
        return yield* lock.withPermit(saveOrKeepTrying)
      }, Effect.uninterruptible)

      if (Option.isNone(loaded)) {
        // The list of revoked sessions is lost, so every session that began before now is refused.
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
