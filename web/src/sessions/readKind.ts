import type { SessionsStore } from "../core/sessions/sessionTypes.ts"
import { filterOf, type SessionFilter } from "./sessionEntries.ts"

/** Reads older sessions until there is one of this kind, or there are no more. */
export const readKind = async (
  sessions: Pick<SessionsStore, "state" | "readMore">,
  kind: SessionFilter
): Promise<void> => {
  for (;;) {
    const { hasMore, rows } = sessions.state.get()
    if (!hasMore || rows.some((row) => filterOf(row.kind) === kind)) return
    await sessions.readMore()
    // A gateway that says there are more, and gives none, is asked once.
    if (sessions.state.get().rows.length <= rows.length) return
  }
}
