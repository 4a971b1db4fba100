import type { SqlConnection } from "../../platform/sqlite/Sqlite.ts"
import type { SessionWork } from "../sessionWork.ts"

const SAVE =
  "INSERT INTO session_work (session, work) VALUES (?, ?) ON CONFLICT (session) DO UPDATE SET work = excluded.work"

/** Notes what sessions were for. */
export const saveSessionWork = (db: SqlConnection, sessions: ReadonlyArray<SessionWork>): void => {
  for (const { session, work } of sessions) db.run(SAVE, session, work)
}
