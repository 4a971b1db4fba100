import { keyParts, PRIMARY } from "../../../../src/contract/qualifiedKey.ts"
import type { Budget, BudgetScope } from "../../../../src/contract/schema/budget.ts"
import type { Task } from "../board/boardTypes.ts"

/** Some work, as far as budgets look at it. */
export interface HeldWork {
  /** Absent for a card that isn't worked on anywhere yet. */
  readonly gatewayId?: string
  readonly agentId?: string
  readonly taskId?: string
  readonly jobId?: string
  /** On its gateway. */
  readonly sessionKey?: string
}

/** The work of a session by its key among those of all gateways. */
export const workOfSession = (qualified: string): HeldWork => {
  const { gatewayId, key } = keyParts(qualified)
  const agentId = /^agent:([^:]+):/.exec(key)?.[1]
  return { gatewayId, sessionKey: key, ...(agentId === undefined ? {} : { agentId }) }
}

/** The scope of a session's own budgets, by such a key. */
export const scopeOfSession = (qualified: string): BudgetScope => {
  const { gatewayId, key } = keyParts(qualified)
  return { kind: "session", gatewayId, sessionKey: key }
}

/** The work of a card: in the session of its run, or where it would be started. */
export const workOfCard = ({ assignee, gatewayId, id, run }: Task): HeldWork => {
  if (run !== null && run.sessionKey !== "") return { ...workOfSession(run.sessionKey), taskId: id }
  const agentId = /^agent:(.+)$/.exec(assignee ?? "")?.[1]
  return { gatewayId: gatewayId ?? PRIMARY, taskId: id, ...(agentId === undefined ? {} : { agentId }) }
}

const isFor = (scope: BudgetScope, work: HeldWork): boolean => {
  const isThere = (gatewayId = PRIMARY) => gatewayId === work.gatewayId
  switch (scope.kind) {
    case "all":
      return true
    case "gateway":
      return isThere(scope.gatewayId)
    case "agent":
      return isThere(scope.gatewayId) && scope.agentId === work.agentId
    case "task":
      return scope.taskId === work.taskId
    case "job":
      return isThere(scope.gatewayId) && scope.jobId === work.jobId
    case "session":
      return isThere(scope.gatewayId) && scope.sessionKey === work.sessionKey
  }
}

/** The budgets whose pause holds this work. */
export const holdsOf = (budgets: ReadonlyArray<Budget>, work: HeldWork): ReadonlyArray<Budget> =>
  budgets.filter(({ scope, state }) => state === "paused" && isFor(scope, work))
