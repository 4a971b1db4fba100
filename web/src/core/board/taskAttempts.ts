import type { TaskAttempt } from "../../../../src/contract/schema/attempt.ts"
import type { UsageHistory } from "../../../../src/contract/schema/usage.ts"
import type { ApiClient } from "../link/apiTypes.ts"
import type { RunLink } from "./boardTypes.ts"
import { runOf } from "./readBoard.ts"

/** A run that the card has left behind. */
export interface Attempt {
  readonly run: RunLink
  readonly result: string | null
  /** In US dollars; null while it isn't known. */
  readonly cost: number | null
}

/** What each session of these costs, by its id. */
const costsIn = ({ rows }: UsageHistory): ReadonlyMap<string, number> =>
  new Map(rows.map(({ cost, session = "" }) => [session, cost]))

/** The runs that a card has left behind, oldest first, with what each cost; null if they can't be read. */
export async function readAttempts(
  api: Pick<ApiClient, "request">,
  taskId: string
): Promise<ReadonlyArray<Attempt> | null> {
  const path = `/api/kanban/tasks/${encodeURIComponent(taskId)}/attempts`
  const read = (answer: { readonly attempts: ReadonlyArray<TaskAttempt> }) => answer.attempts
  const answer = await api.request("GET", path, read)
  if (!answer.ok) return null
  const [first] = answer.value
  if (first === undefined) return []
  const from = new Date(first.run.startedAt).toISOString().slice(0, 10)
  const costs = await api.request("GET", `/api/tokens/history?group=session&from=${from}`, costsIn)
  return answer.value.map(({ result, run }) => ({
    run: runOf(run),
    result: result ?? null,
    cost: (costs.ok ? costs.value.get(run.sessionId ?? "") : undefined) ?? null
  }))
}
