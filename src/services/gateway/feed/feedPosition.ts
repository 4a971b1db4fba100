import { Clock, Effect, Queue, Result } from "effect"
import type { SqliteShape } from "../../platform/sqlite/Sqlite.ts"
import type { FeedMessage } from "./feedMessage.ts"
import { isKept, type SessionCursor } from "./feedRules.ts"
import { loadPosition, saveMarks, saveSession } from "./feedStore.ts"

/** What followers are done with is noted at most so often: after a crash, this much is told again. */
const SAVE_EVERY = "1 second"

/**
 * Up to where the gateway was read and followers are done with it, in memory and in the database. A database that fails
 * costs nothing but that: after the next start, more is told again.
 */
export const makeFeedPosition = Effect.fnUntraced(function* (sqlite: SqliteShape, gatewayId: string) {
  const stored = yield* sqlite
    .read((db) => loadPosition(db, gatewayId))
    .pipe(Effect.orElseSucceed(() => ({ marks: undefined, sessions: new Map<string, SessionCursor>() })))
  const sessions = new Map(stored.sessions)
  const changed = new Set<string>()
  const touched = yield* Queue.sliding<void>(1)
  let marks = stored.marks
  let hasNewMarks = false
  /** The gateway's time of the last thing heard. */
  let heardAt = 0
  /** Told, and not every follower is done with it. */
  let outstanding = 0

  const touch = () => Queue.offerUnsafe(touched, undefined)

  const save = Effect.suspend(() => {
    if (marks !== undefined && outstanding === 0 && heardAt > marks.sessions) {
      marks = { ...marks, sessions: heardAt }
      hasNewMarks = true
    }
    const now = marks
    if (now === undefined || (changed.size === 0 && !hasNewMarks)) return Effect.void
    for (const [key, cursor] of sessions) if (!isKept(cursor, now)) forget(key)
    const keys = [...changed]
    changed.clear()
    hasNewMarks = false
    return sqlite
      .transaction((db) => {
        saveMarks(db, gatewayId, now)
        for (const key of keys) saveSession(db, gatewayId, key, sessions.get(key))
        return Result.void
      })
      .pipe(
        Effect.catch(({ message }) =>
          Effect.andThen(
            Effect.sync(() => {
              for (const key of keys) changed.add(key)
              hasNewMarks = true
            }),
            Effect.logWarning(`Couldn't store how far the gateway was read: ${message}`)
          )
        )
      )
  })

  const forget = (key: string) => {
    if (sessions.delete(key)) changed.add(key)
  }

  const keepSaved = Queue.take(touched).pipe(
    Effect.andThen(Effect.sleep(SAVE_EVERY)),
    Effect.andThen(save),
    Effect.forever
  )
  yield* Effect.addFinalizer(() => save)
  yield* Effect.forkScoped(keepSaved)

  return {
    marks: () => marks,
    /** Begins at that time of the gateway's, if nothing was read before. */
    begin: Effect.fnUntraced(function* (gatewayNow: number | undefined) {
      const since = gatewayNow ?? (yield* Clock.currentTimeMillis)
      if (marks !== undefined) return marks
      marks = { since, sessions: since, crons: since }
      hasNewMarks = true
      touch()
      return marks
    }),
    cursorOf: (key: string) => sessions.get(key),
    told: () => {
      outstanding += 1
    },
    /** Every follower is done with something. */
    done: () => {
      outstanding -= 1
      touch()
    },
    moveTo: ({ at, id, sessionKey }: FeedMessage) => {
      const deltaCursor = sessions.get(sessionKey)?.deltaCursor
      sessions.set(sessionKey, { lastId: id, at, deltaCursor })
      changed.add(sessionKey)
    },
    setDelta: (key: string, deltaCursor: string | undefined) => {
      const cursor = sessions.get(key)
      if (cursor === undefined || cursor.deltaCursor === deltaCursor) return
      sessions.set(key, { ...cursor, deltaCursor })
      changed.add(key)
    },
    forget: (key: string) => {
      forget(key)
      touch()
    },
    cronsUntil: (at: number) => {
      if (marks === undefined || at <= marks.crons) return
      marks = { ...marks, crons: at }
      hasNewMarks = true
    },
    /** Everything up to that time of the gateway's was told. */
    heard: (at: number) => {
      heardAt = Math.max(heardAt, at)
      touch()
    }
  }
})

export type FeedPosition = Effect.Success<ReturnType<typeof makeFeedPosition>>
