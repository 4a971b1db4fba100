import type { HistoryPage } from "./chatHistory.ts"
import type { Entry } from "./liveTurn.ts"
import { isCovered, reconcile } from "./reconcile.ts"
import type { Turns } from "./Turns.ts"

/**
 * What is on screen after a history page. A page that is not all of the history replaces everything from its first
 * message on, and everything there is when that message is not on screen; only a short read of the end gives null then,
 * so that more has to be read. A fresh page decides alone about everything but turns that run and messages that are
 * not delivered.
 */
export function mergePage(
  shown: ReadonlyArray<Entry>,
  page: HistoryPage,
  turns: Turns,
  { isAll, isWhole, isFresh }: { readonly isAll: boolean; readonly isWhole: boolean; readonly isFresh: boolean }
): ReadonlyArray<Entry> | null {
  const kept = new Set(
    [...turns.kept()].filter((id) => {
      const run = turns.runs.get(id)
      return turns.active.has(id) || run === undefined || !isCovered(run, page.ends)
    })
  )
  const first = page.entries[0]?.source
  const found = isAll ? 0 : shown.findIndex(({ source }) => source === first)
  if (found < 0 && !isWhole) return null
  const start = Math.max(0, found)
  const fresh = reconcile({
    shown: shown.slice(start),
    history: page.entries,
    running: turns.active,
    kept,
    runs: turns.runs,
    isFresh
  })
  return [...shown.slice(0, start), ...fresh]
}
