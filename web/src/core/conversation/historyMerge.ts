import type { HistoryPage } from "./chatHistory.ts"
import { isCovered, reconcile } from "./reconcile.ts"
import type { Timeline } from "./timeline.ts"
import type { Turns } from "./turns.ts"

/** Turns whose items stay on screen although the history lacks them. */
const keptTurns = ({ active, over }: Turns, { ends }: HistoryPage): ReadonlySet<string> =>
  new Set([
    ...active.keys(),
    ...[...over].flatMap(([id, { run, standing }]) =>
      standing === "settled" || (run !== null && isCovered(run, ends)) ? [] : [id]
    )
  ])

/**
 * What is on screen after a history page. A partial page replaces everything from its first message on, or everything
 * if that message isn't on screen; only a short read of the end then returns null, so that more is read. Only running
 * turns and undelivered messages survive a fresh page that lacks them.
 */
export function mergePage(
  shown: Timeline,
  page: HistoryPage,
  turns: Turns,
  { isAll, isWhole, isFresh }: { readonly isAll: boolean; readonly isWhole: boolean; readonly isFresh: boolean }
): Timeline | null {
  const first = page.entries[0]?.source
  const found = isAll ? 0 : shown.findIndex(({ source }) => source === first)
  if (found < 0 && !isWhole) return null
  const start = Math.max(0, found)
  const kept = keptTurns(turns, page)
  const fresh = reconcile({ shown: shown.slice(start), history: page.entries, turns, kept, isFresh })
  return [...shown.slice(0, start), ...fresh]
}
