import { FAILURE_WORDS } from "../../contract/failures/words.ts"
import { PRIMARY } from "../../contract/qualifiedKey.ts"
import type { BudgetScope } from "../../contract/schema/budget.ts"
import { taskOfSession } from "../board/runs/runPrompt.ts"
import { canonicalKey } from "../gateway/sessions/sessionRules.ts"
import type { CardStart } from "../holds/StartHolds.ts"

/** The work of a session: whose it is. */
export interface Work {
  readonly gatewayId: string
  readonly sessionKey: string
  /** The session itself, the one that spawned it, and so on; the last one wasn't spawned. */
  readonly line: ReadonlyArray<string>
  readonly rootKey: string
  /** Of the root. */
  readonly agentId: string | undefined
  readonly taskId: string | undefined
  readonly jobId: string | undefined
}

type ScopeWord = Extract<keyof typeof FAILURE_WORDS, `SCOPE_${string}`>

const JOB = /^agent:[^:]+:cron:([^:]+)(?::|$)/
const AGENT = /^agent:([^:]+):/

/** The agent whose session it is. */
export const agentOf = (sessionKey: string): string | undefined => AGENT.exec(sessionKey)?.[1]

/** The session that a session began with: whoever spawned it, by `parentOf`. */
export const workOf = (
  gatewayId: string,
  sessionKey: string,
  parentOf: (sessionKey: string) => string | undefined
): Work => {
  const line = [sessionKey]
  for (let parent = parentOf(sessionKey); parent !== undefined && !line.includes(parent); parent = parentOf(parent))
    line.push(parent)
  const rootKey = line.at(-1) ?? sessionKey
  return {
    gatewayId,
    sessionKey,
    line,
    rootKey,
    agentId: agentOf(rootKey),
    taskId: taskOfSession(rootKey),
    jobId: JOB.exec(rootKey)?.[1]
  }
}

/** The scope with its gateway named and its session's key in the long form. */
export const namedScope = (scope: BudgetScope): BudgetScope => {
  switch (scope.kind) {
    case "agent":
    case "job":
      return { ...scope, gatewayId: scope.gatewayId ?? PRIMARY }
    case "session":
      return { ...scope, gatewayId: scope.gatewayId ?? PRIMARY, sessionKey: canonicalKey(scope.sessionKey) }
    default:
      return scope
  }
}

/** A text that is the same for the same scope. */
export const scopeKey = (scope: BudgetScope): string => {
  const named = namedScope(scope)
  switch (named.kind) {
    case "all":
      return "all"
    case "gateway":
      return JSON.stringify(["gateway", named.gatewayId])
    case "agent":
      return JSON.stringify(["agent", named.gatewayId, named.agentId])
    case "task":
      return JSON.stringify(["task", named.taskId])
    case "job":
      return JSON.stringify(["job", named.gatewayId, named.jobId])
    case "session":
      return JSON.stringify(["session", named.gatewayId, named.sessionKey])
  }
}

/** Whether a session's spending counts for a scope. */
export const covers = (scope: BudgetScope, work: Work): boolean => {
  switch (scope.kind) {
    case "all":
      return true
    case "gateway":
      return scope.gatewayId === work.gatewayId
    case "agent":
      return scope.gatewayId === work.gatewayId && scope.agentId === work.agentId
    case "task":
      return scope.taskId === work.taskId
    case "job":
      return scope.gatewayId === work.gatewayId && scope.jobId === work.jobId
    case "session":
      return scope.gatewayId === work.gatewayId && work.line.includes(scope.sessionKey)
  }
}

/** Whether a card's next run would count for a scope. */
export const coversStart = (scope: BudgetScope, card: CardStart): boolean =>
  scope.kind !== "job" &&
  scope.kind !== "session" &&
  covers(scope, { ...card, sessionKey: "", line: [], rootKey: "", jobId: undefined })

/** The gateway that a scope is about; the primary one for those of several. */
export const gatewayOfScope = (scope: BudgetScope): string =>
  "gatewayId" in scope ? (scope.gatewayId ?? PRIMARY) : PRIMARY

/** What a scope is called in a sentence: the code of the words, and the name in them. */
interface ScopeValues {
  readonly scope: ScopeWord
  readonly name?: string
}

/** What a scope is called, a card by its title if that's known. */
export const scopeValues = (scope: BudgetScope, cardTitle?: string): ScopeValues => {
  switch (scope.kind) {
    case "all":
      return { scope: "SCOPE_ALL" }
    case "gateway":
      return { scope: "SCOPE_GATEWAY", name: scope.gatewayId }
    case "agent":
      return { scope: "SCOPE_AGENT", name: scope.agentId }
    case "task":
      return cardTitle === undefined ? { scope: "SCOPE_TASK" } : { scope: "SCOPE_NAMED_TASK", name: cardTitle }
    case "job":
      return { scope: "SCOPE_JOB" }
    case "session":
      return { scope: "SCOPE_SESSION", name: scope.sessionKey }
  }
}

/** The same in English. */
export const scopeWords = ({ name = "", scope }: ScopeValues): string =>
  FAILURE_WORDS[scope].replace("{name}", () => name)
