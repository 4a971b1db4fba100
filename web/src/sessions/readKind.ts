import type { SessionRow, SessionsStore } from "../core/sessions/sessionTypes.ts"
import { filterOf, type SessionFilter } from "./sessionEntries.ts"

type Reading = Pick<SessionsStore, "state" | "readMore">

/** Reads older sessions until there are enough, or no more. */
export const readUntil = async (
  sessions: Reading,
  isEnough: (rows: ReadonlyArray<SessionRow>) => boolean
): Promise<void> => {
  for (;;) {
    const { hasMore, rows } = sessions.state.get()
    if (!hasMore || isEnough(rows)) return
    await sessions.readMore()
    // A gateway that says there are more, and gives none, is asked once.
    if (sessions.state.get().rows.length <= rows.length) return
  }
}

/** Reads older sessions until there is one of this kind. */
export const readKind = (sessions: Reading, kind: SessionFilter): Promise<void> =>
  readUntil(sessions, (rows) => rows.some((row) => filterOf(row.kind) === kind))
