import type { InboxResolution } from "../../contract/schema/inbox.ts"
import type { Task } from "../../contract/schema/task.ts"
import type { Breaker, LostLink } from "../board/store/automaticStore.ts"
import { optionalEntry } from "../platform/optionalEntry.ts"
import { isText, readRows } from "../platform/sqlite/rowGuards.ts"
import type { SqlConnection } from "../platform/sqlite/Sqlite.ts"
import { headline } from "./inboxRules.ts"
import type { ItemDraft } from "./inboxTable.ts"

/** Cards that wait for cards which were lost, and automatic starts that were switched off. */
export const LOST_ORIGIN = "lost"
export const BREAKER_ORIGIN = "breaker"

/** The cards about whose loss a person doesn't want to hear again, by the card that waits for them. */
export const dismissedAdditions = `
  CREATE TABLE IF NOT EXISTS inbox_dismissed (
    task_id TEXT NOT NULL,
    lost_id TEXT NOT NULL,
    PRIMARY KEY (task_id, lost_id)
  ) STRICT, WITHOUT ROWID;
`

export const dismissedOf = (db: SqlConnection, taskId: string): ReadonlySet<string> =>
  new Set(
    readRows([isText], db.rows("SELECT lost_id FROM inbox_dismissed WHERE task_id = ?", taskId)).map(([id]) => id)
  )

export const dismissLost = (db: SqlConnection, { lostId, taskId }: LostLink): void => {
  db.run("INSERT OR IGNORE INTO inbox_dismissed (task_id, lost_id) VALUES (?, ?)", taskId, lostId)
}

const lostLine = ({ lostTitle, why }: LostLink): string => {
  if (lostTitle === undefined) return "A card that it waits for was deleted."
  return why === "cancelled"
    ? `It waits for “${lostTitle}”, which was cancelled.`
    : `It waits for “${lostTitle}”, which failed and isn't tried again.`
}

/** The item for a card that waits for lost ones; `source` tells it from earlier ones about the same card. */
export const lostDraft = (
  gatewayId: string,
  links: readonly [LostLink, ...ReadonlyArray<LostLink>],
  made: { readonly source: string; readonly at: number }
): ItemDraft => ({
  gatewayId,
  origin: LOST_ORIGIN,
  source: made.source,
  kind: "blocked",
  title: headline(links[0].title),
  detail: links.map(lostLine).join("\n"),
  taskId: links[0].taskId,
  createdAt: made.at,
  offers: ["start-anyway", "unlink", "dismiss"]
})

/** How an item about lost cards ended outside the inbox. */
export const lostEnd = (task: Task | undefined, createdAt: number, at: number): InboxResolution => ({
  action: task?.run !== undefined && task.run.startedAt >= createdAt ? "start-anyway" : "ended",
  at,
  by: "console"
})

/** The item that says why automatic starts were switched off. */
export const breakerDraft = (gatewayId: string, { at, id, taskId }: Breaker, title: string | undefined): ItemDraft => ({
  gatewayId,
  origin: BREAKER_ORIGIN,
  source: id,
  kind: "blocked",
  title: "Automatic starts are off",
  detail:
    taskId === undefined
      ? "6 runs that had started by themselves failed within 10 minutes."
      : `“${title ?? "A card"}” has started by itself 10 times within 24 hours.`,
  ...optionalEntry("taskId", taskId),
  createdAt: at,
  offers: ["resume"]
})
