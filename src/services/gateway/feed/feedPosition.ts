import { Clock, Effect, Queue, Result } from "effect"
import { isFinite, isText, orNull, readRows } from "../../platform/sqlite/rowGuards.ts"
import type { SqlConnection, SqliteShape } from "../../platform/sqlite/Sqlite.ts"
import type { SessionListing } from "../sessions/ListedSessions.ts"
import type { FeedMessage } from "./feedMessage.ts"
import { type FeedMarks, isKept, type SessionCursor } from "./feedRules.ts"

/**
 * The read position of each gateway. The schema number isn't raised, because the version that a rollback restores
 * doesn't need the tables and would refuse a file with a newer number.
 */
export const feedAdditions = `
  CREATE TABLE IF NOT EXISTS feed_marks (
    gateway_id TEXT PRIMARY KEY,
    since REAL NOT NULL,
    sessions REAL NOT NULL,
    crons REAL NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS feed_sessions (
    gateway_id TEXT NOT NULL,
    session_key TEXT NOT NULL,
    last_id TEXT NOT NULL,
    at REAL NOT NULL,
    delta_cursor TEXT,
    PRIMARY KEY (gateway_id, session_key)
  ) STRICT, WITHOUT ROWID;
`

/** The stored position of a gateway. */
interface StoredPosition {
  /** `undefined` before its first connection. */
  readonly marks: FeedMarks | undefined
  readonly sessions: ReadonlyMap<string, SessionCursor>
}

const loadPosition = (db: SqlConnection, gatewayId: string): StoredPosition => {
  const [marks] = readRows(
    [isFinite, isFinite, isFinite],
    db.rows("SELECT since, sessions, crons FROM feed_marks WHERE gateway_id = ?", gatewayId)
  )
  const sessions = readRows(
    [isText, isText, isFinite, orNull(isText)],
    db.rows("SELECT session_key, last_id, at, delta_cursor FROM feed_sessions WHERE gateway_id = ?", gatewayId)
  )
  return {
    marks: marks && { since: marks[0], sessions: marks[1], crons: marks[2] },
    sessions: new Map(
      sessions.map(([key, lastId, at, deltaCursor]) => [key, { lastId, at, deltaCursor: deltaCursor ?? undefined }])
    )
  }
}

const saveMarks = (db: SqlConnection, gatewayId: string, { since, sessions, crons }: FeedMarks): void => {
  db.run("INSERT OR REPLACE INTO feed_marks VALUES (?, ?, ?, ?)", gatewayId, since, sessions, crons)
}

/** Saves a session's position; `undefined` deletes it. */
const saveSession = (db: SqlConnection, gatewayId: string, key: string, cursor: SessionCursor | undefined): void => {
  if (cursor === undefined) {
    db.run("DELETE FROM feed_sessions WHERE gateway_id = ? AND session_key = ?", gatewayId, key)
    return
  }
  const { at, deltaCursor, lastId } = cursor
  db.run("INSERT OR REPLACE INTO feed_sessions VALUES (?, ?, ?, ?, ?)", gatewayId, key, lastId, at, deltaCursor ?? null)
}

/** Deletes the stored position of a gateway. */
export const forgetGateway = (db: SqlConnection, gatewayId: string): void => {
  db.run("DELETE FROM feed_marks WHERE gateway_id = ?", gatewayId)
  db.run("DELETE FROM feed_sessions WHERE gateway_id = ?", gatewayId)
}

/** The shortest time between two saves; after a crash, events of this time are emitted again. */
const SAVE_EVERY = "1 second"

/**
 * The position up to which the gateway was read and followers are done, in memory and in the database. If the database
 * fails, more events are emitted again after the next start.
 */
export const makeFeedPosition = Effect.fnUntraced(function* (sqlite: SqliteShape, gatewayId: string) {
  const stored = yield* sqlite
    .read((db) => loadPosition(db, gatewayId))
    .pipe(Effect.orElseSucceed(() => ({ marks: undefined, sessions: new Map<string, SessionCursor>() })))
  const sessions = new Map(stored.sessions)
  const changed = new Set<string>()
  const touched = yield* Queue.sliding<void>(1)
  const createdAt = yield* Clock.currentTimeMillis
  const from = (since: number): FeedMarks => ({ since, sessions: since, crons: since })
  /** Before the first connection, the gateway's clock isn't known. */
  let isProvisional = stored.marks === undefined
  let marks = stored.marks ?? from(createdAt)
  let hasNewMarks = isProvisional
  /** The gateway's time of the latest event received. */
  let latestAt = 0
  /** The number of events that some follower is still handling. */
  let outstanding = 0

  const touch = () => Queue.offerUnsafe(touched, undefined)

  const save = Effect.suspend(() => {
    if (outstanding === 0 && latestAt > marks.sessions) {
      marks = { ...marks, sessions: latestAt }
      hasNewMarks = true
    }
    const now = marks
    if (changed.size === 0 && !hasNewMarks) return Effect.void
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
  // What is said from now on is read after the next start, even if that start comes before the first connection.
  yield* save
  yield* Effect.addFinalizer(() => save)
  yield* Effect.forkScoped(keepSaved)

  return {
    marks: () => marks,
    /** Whether nothing was ever read: what the gateway has is no news. */
    isFirst: () => isProvisional,
    /** Keeps the position at which reading begins by the gateway's clock, which showed `ts` at the console's `readAt`. */
    begin: Effect.fnUntraced(function* ({ readAt, ts }: Pick<SessionListing, "readAt" | "ts">) {
      if (!isProvisional) return marks
      isProvisional = false
      if (ts === undefined) return marks
      marks = from(ts - (readAt - createdAt))
      hasNewMarks = true
      yield* save
      return marks
    }),
    cursorOf: (key: string) => sessions.get(key),
    emitted: () => {
      outstanding += 1
    },
    /** Records that every follower has handled an event. */
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
      if (at <= marks.crons) return
      marks = { ...marks, crons: at }
      hasNewMarks = true
    },
    /** Records that everything up to this time of the gateway was emitted. */
    receivedUntil: (at: number) => {
      latestAt = Math.max(latestAt, at)
      touch()
    }
  }
})

export type FeedPosition = Effect.Success<ReturnType<typeof makeFeedPosition>>
