import { isInteger, isOneOf, isText, orNull, readRows } from "../platform/sqlite/rowGuards.ts"
import type { SqlConnection } from "../platform/sqlite/Sqlite.ts"

/** How far a session is on its way from running to going on. */
export const HELD_STATES = ["stopping", "restopping", "stopped", "resuming", "summing", "summed"] as const

/**
 * A session whose turn is stopped while a budget or the stop of everything holds it. `stopping`: the gateway is yet to
 * confirm it; `restopping`: the same for another turn, after one was stopped. `resuming`: a message that asks it to go on is on its way. `summing`: one that asks for a summary is, or is
 * being answered; `summed`: it was answered.
 */
export interface HeldSession {
  readonly gatewayId: string
  readonly sessionKey: string
  readonly rootKey: string
  readonly state: (typeof HELD_STATES)[number]
  /** Epoch milliseconds. */
  readonly since: number
  /** The id of the message that's on its way. */
  readonly messageId?: string | undefined
  /** Its turn has begun. */
  readonly hasBegun: boolean
  /** Why everything was stopped, if that stopped it: it won't go on by itself. */
  readonly stopReason?: string | undefined
}

export const isStopping = ({ state }: Pick<HeldSession, "state">): boolean =>
  state === "stopping" || state === "restopping"

/** What happens to a held session. */
export type HeldEvent =
  /** The gateway has stopped its turn. */
  | { readonly type: "aborted" }
  /** Nothing was running; `isCard` if a card's run isn't over with it. */
  | { readonly type: "idle"; readonly isCard: boolean }
  /** Nothing holds it any more; with a message, it goes on. */
  | { readonly type: "released"; readonly messageId: string | undefined }
  /** It's asked to sum up. */
  | { readonly type: "finish"; readonly messageId: string }
  /** A turn has begun. */
  | { readonly type: "began" }
  /** Its turn is over, or the message will never be answered. */
  | { readonly type: "ended" }

/** The next state; `undefined` if nothing is left to do for it. */
export const nextHeld = (held: HeldSession, event: HeldEvent): HeldSession | undefined => {
  const { state } = held
  switch (event.type) {
    case "aborted":
      return isStopping(held) ? { ...held, state: "stopped" } : held
    case "idle":
      if (!isStopping(held)) return held
      return event.isCard || state === "restopping" ? { ...held, state: "stopped" } : undefined
    case "released":
      if (state === "resuming") return held
      // Who summed up has nothing to go on with.
      if (state === "summing" || state === "summed" || event.messageId === undefined) return undefined
      return { ...held, state: "resuming", messageId: event.messageId, hasBegun: false }
    case "finish":
      return isStopping(held) || state === "stopped"
        ? { ...held, state: "summing", messageId: event.messageId, hasBegun: false }
        : held
    case "began":
      if (state === "resuming") return undefined
      return state === "summing" ? { ...held, hasBegun: true } : held
    case "ended":
      if (state === "resuming") return undefined
      return state === "summing" ? { ...held, state: "summed" } : held
  }
}

export const heldAdditions = `
  CREATE TABLE IF NOT EXISTS held_sessions (
    gateway_id TEXT NOT NULL,
    session_key TEXT NOT NULL,
    root_key TEXT NOT NULL,
    state TEXT NOT NULL,
    since INTEGER NOT NULL,
    message_id TEXT,
    has_begun INTEGER NOT NULL,
    stop_reason TEXT,
    PRIMARY KEY (gateway_id, session_key)
  ) STRICT, WITHOUT ROWID;
`

export const loadHeld = (db: SqlConnection): ReadonlyArray<HeldSession> =>
  readRows(
    [isText, isText, isText, isOneOf(HELD_STATES), isInteger, orNull(isText), isInteger, orNull(isText)],
    db.rows(
      `SELECT gateway_id, session_key, root_key, state, since, message_id, has_begun, stop_reason
      FROM held_sessions ORDER BY since, session_key`
    )
  ).map(([gatewayId, sessionKey, rootKey, state, since, messageId, hasBegun, stopReason]) => ({
    gatewayId,
    sessionKey,
    rootKey,
    state,
    since,
    messageId: messageId ?? undefined,
    hasBegun: hasBegun === 1,
    stopReason: stopReason ?? undefined
  }))

export const saveHeld = (db: SqlConnection, held: HeldSession): void => {
  db.run(
    "INSERT OR REPLACE INTO held_sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    held.gatewayId,
    held.sessionKey,
    held.rootKey,
    held.state,
    held.since,
    held.messageId ?? null,
    Number(held.hasBegun),
    held.stopReason ?? null
  )
}

export const deleteHeld = (
  db: SqlConnection,
  { gatewayId, sessionKey }: Pick<HeldSession, "gatewayId" | "sessionKey">
): void => {
  db.run("DELETE FROM held_sessions WHERE gateway_id = ? AND session_key = ?", gatewayId, sessionKey)
}
