import { detailOf, type Failure } from "../../contract/failure.ts"
import { failure } from "../../contract/failures.ts"
import type { InboxResolution } from "../../contract/schema/inbox.ts"
import type { Task } from "../../contract/schema/task.ts"
import { FAILURES_COUNT_MS, MAX_FAILURES, MAX_STARTS, STARTS_COUNT_MS } from "../board/automatic/automaticRules.ts"
import type { Breaker, LostLink } from "../board/store/automaticStore.ts"
import { optionalEntry } from "../platform/optionalEntry.ts"
import { isText, readRows } from "../platform/sqlite/rowGuards.ts"
import type { SqlConnection } from "../platform/sqlite/Sqlite.ts"
import { headline } from "./inboxRules.ts"
import type { ItemDraft } from "./inboxTable.ts"

/** Cards that wait for cards which were lost, and automatic starts that were switched off. */
export const LOST_ORIGIN = "lost"
export const BREAKER_ORIGIN = "breaker"

/** What one card waits for in vain. */
type LostLinks = readonly [LostLink, ...ReadonlyArray<LostLink>]

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

const oneLost = ({ lostTitle: title, why }: LostLink): Failure => {
  if (title === undefined) return failure("BLOCKED_BY_DELETED")
  return why === "cancelled" ? failure("BLOCKED_BY_CANCELLED", { title }) : failure("BLOCKED_BY_FAILED", { title })
}

/** Why a card waits in vain; deleted cards have no title any more. */
const lostFailure = ([first, ...rest]: LostLinks): Failure => {
  const titles = [first, ...rest].flatMap(({ lostTitle }) => lostTitle ?? []).join(", ")
  return rest.length === 0 || titles === "" ? oneLost(first) : failure("BLOCKED_BY_SEVERAL", { titles })
}

/** The item for a card that waits for lost ones; `source` tells it from earlier ones about the same card. */
export const lostDraft = (
  gatewayId: string,
  links: LostLinks,
  made: { readonly source: string; readonly at: number }
): ItemDraft => ({
  gatewayId,
  origin: LOST_ORIGIN,
  source: made.source,
  kind: "blocked",
  title: headline(links[0].title),
  ...detailOf(lostFailure(links)),
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
  ...detailOf(
    taskId === undefined
      ? failure("STARTS_OFF_FAILURES", { count: MAX_FAILURES, minutes: FAILURES_COUNT_MS / 60_000 })
      : failure("STARTS_OFF_TOO_OFTEN", {
          title: title ?? "SCOPE_TASK",
          count: MAX_STARTS,
          hours: STARTS_COUNT_MS / 3_600_000
        })
  ),
  ...optionalEntry("taskId", taskId),
  createdAt: at,
  offers: ["resume"]
})
