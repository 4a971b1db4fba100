import { randomUUID } from "node:crypto"
import { Result } from "effect"
import { BUDGET_DECISIONS } from "../../contract/budget.ts"
import { failure } from "../../contract/failures.ts"
import type { BudgetChange, BudgetDecision, BudgetPatch } from "../../contract/schema/budget.ts"
import type { InboxResolution } from "../../contract/schema/inbox.ts"
import { added, grantedAgain, hasReached, raisedLimit, usedUp } from "./amounts.ts"
import { type Entry, heldKey, holderOf } from "./BudgetBook.ts"
import { BudgetNotPaused, InvalidBudget } from "./budgetErrors.ts"
import { pauseDraft, pauseKey, unpricedDraft, unpricedKey, warnDraft, warnKey } from "./budgetItems.ts"
import type { ActiveStop } from "./budgetTable.ts"
import type { HeldSession } from "./heldSession.ts"
import { currentPeriod, inPeriod, type StoredBudget, withRunning } from "./StoredBudget.ts"
import {
  endTurn,
  forgetSpendBefore,
  forgetSpendOf,
  isNewResponse,
  type SpentResponse,
  saveTurn,
  spentBetween
} from "./spendTable.ts"
import { covers, type Work } from "./workScope.ts"

/** A clock that was set back by less doesn't bring back the period before. */
const SET_BACK_MS = 10 * 60_000
/** The gateway's clock may be behind the console's: a run's first response may seem to be from before its begin. */
const CLOCKS_APART_MS = 60_000

/** Longer than any period that ends by the calendar. */
const KEPT_MS = 40 * 24 * 60 * 60 * 1000

/** How a pause ends, if the change ends it. */
interface Ending {
  readonly action: string
  readonly by: InboxResolution["by"]
  /** Whether the stopped sessions are asked to go on. */
  readonly goesOn: boolean
}

/** By a person's change of the budget, which isn't one of the item's actions. */
const BY_CHANGE: Ending = { action: "ended", by: "console", goesOn: true }

/** The budget with what its running turns have taken. */
const accountOf = ({ moment, now, running }: Entry, budget: StoredBudget): StoredBudget =>
  withRunning(budget, running.msOf(budget, now, moment))

/** Lets go of held sessions that nothing else holds; with `goesOn`, one message goes into each root of what was stopped. */
const release = (entry: Entry, isMeant: (work: Work) => boolean, goesOn: boolean): void => {
  const roots = new Map<string, Array<HeldSession>>()
  for (const session of entry.held.values()) {
    const work = entry.workOf(session.gatewayId, session.sessionKey)
    if (!isMeant(work) || session.stopReason !== undefined || holderOf(entry, work) !== undefined) continue
    const key = heldKey({ gatewayId: session.gatewayId, sessionKey: session.rootKey })
    roots.set(key, [...(roots.get(key) ?? []), session])
  }
  for (const [key, sessions] of roots) {
    const root = entry.held.get(key)
    const hasSummedUp = root?.state === "summing" || root?.state === "summed"
    const stopped = sessions.find(
      (session) =>
        session.state === "stopped" ||
        session.state === "restopping" ||
        (session.state === "stopping" && entry.running.inSession(session).length === 0)
    )
    for (const session of sessions) if (session !== root) entry.drop(session)
    if (root?.state === "resuming") continue
    if (goesOn && !hasSummedUp && stopped !== undefined) resume(entry, stopped)
    else if (root !== undefined) entry.move(root, { type: "released", messageId: undefined })
  }
}

/** The root of a stopped session is asked to go on. */
export const resume = ({ hold, now }: Entry, { gatewayId, rootKey }: HeldSession): void =>
  hold({
    gatewayId,
    sessionKey: rootKey,
    rootKey,
    state: "resuming",
    since: now,
    messageId: randomUUID(),
    hasBegun: false
  })

const pause = (entry: Entry, budget: StoredBudget): void => {
  const paused: StoredBudget = {
    ...budget,
    pausedAt: entry.now,
    pauses: budget.pauses + 1,
    isFinishing: false,
    isWarned: true
  }
  // What it warned of has happened.
  entry.settle(warnKey(budget), { action: "ended", at: entry.now, by: "console" })
  const itemId = entry.open(pauseDraft(entry.titled(accountOf(entry, paused)), entry.now))
  entry.put({ ...paused, itemId }, "paused")
}

/** Stores a budget that was changed; it pauses, warns and goes on where that follows from it. */
const judge = (entry: Entry, budget: StoredBudget, action: BudgetChange["action"], ending: Ending): void => {
  const account = accountOf(entry, budget)
  const isUsedUp = usedUp(account).length > 0
  const isPaused = budget.pausedAt !== undefined
  const isWarning = !isUsedUp && !budget.isWarned && hasReached(account, budget.warnAt)
  const next: StoredBudget = {
    ...budget,
    isWarned: budget.isWarned || isWarning,
    ...(isPaused && !isUsedUp ? { pausedAt: undefined, itemId: undefined, isFinishing: false } : {})
  }
  const isTold = isUsedUp !== isPaused || isWarning
  if (action !== "spent" || !isTold) entry.put(next, action)
  if (isWarning) {
    entry.open(warnDraft(entry.titled(account), entry.now))
    if (!isPaused) entry.put(next, "warned")
  }
  if (isUsedUp && !isPaused) pause(entry, next)
  if (!isUsedUp && isPaused) {
    entry.put(next, "resumed")
    entry.settle(pauseKey(budget), { action: ending.action, at: entry.now, by: ending.by })
    release(entry, (work) => covers(budget.scope, work), ending.goesOn)
  }
}

/** Begins a budget's next period if its time has come; returns it as it is then. */
const rolled = (entry: Entry, budget: StoredBudget): StoredBudget => {
  const { now } = entry
  const { end = Infinity, start } = currentPeriod(budget, now)
  const isSetBack = start < budget.periodStart && budget.periodStart - now < SET_BACK_MS
  if (start === budget.periodStart || isSetBack) return budget
  for (const key of [warnKey(budget), unpricedKey(budget)])
    entry.settle(key, { action: "ended", at: now, by: "timeout" })
  judge(entry, inPeriod(budget, start, spentBetween(entry.db, budget.scope, start, end)), "updated", {
    action: "ended",
    by: "timeout",
    goesOn: budget.action === "ask"
  })
  return entry.budgets.get(budget.id) ?? budget
}

const isInPeriod = (budget: StoredBudget, at: number, now: number): boolean => {
  if (budget.period === "total") return true
  if (budget.period === "run") return at >= budget.periodStart - CLOCKS_APART_MS
  return at >= budget.periodStart && at < (currentPeriod(budget, now).end ?? Infinity)
}

/** Counts a response, once. */
export const countResponse = (entry: Entry, response: SpentResponse): void => {
  const { at, nano, work } = response
  if (!isNewResponse(entry.db, response)) return
  for (const before of entry.budgets.values()) {
    if (!covers(before.scope, work)) continue
    const budget = rolled(entry, before)
    if (!isInPeriod(budget, at, entry.now)) continue
    const { minutes, turns } = budget.limit
    const isUnknown = nano === undefined && minutes === undefined && turns === undefined && !budget.isUnpricedTold
    if (isUnknown) entry.open(unpricedDraft(entry.titled(budget), entry.now))
    const spent = added(budget.spent, { nano: nano ?? 0, turns: 1, unpriced: nano === undefined ? 1 : 0 })
    judge(entry, { ...budget, spent, isUnpricedTold: budget.isUnpricedTold || isUnknown }, "spent", BY_CHANGE)
  }
}

/** Whether a turn that begins is the first of a run: a card's has a session of its own, others begin while nothing runs. */
const beginsRun = (entry: Entry, budget: StoredBudget, work: Work): boolean => {
  if (budget.period !== "run" || !covers(budget.scope, work)) return false
  if (budget.scope.kind === "task") return budget.runRoot !== work.rootKey
  const root = entry.held.get(heldKey({ gatewayId: work.gatewayId, sessionKey: work.rootKey }))
  return budget.pausedAt === undefined && root === undefined && entry.running.countOf(budget) === 0
}

/** Notes a turn that runs since `startedAt`, in epoch milliseconds. */
export const beginTurn = (entry: Entry, work: Work, runId: string, startedAt: number): void => {
  const { db, held, moment, now, running } = entry
  if (running.has(work, runId)) return
  for (const budget of entry.budgets.values())
    if (beginsRun(entry, budget, work))
      judge(entry, { ...inPeriod(budget, startedAt), runRoot: work.rootKey }, "updated", {
        action: "ended",
        by: "timeout",
        goesOn: false
      })
  saveTurn(db, work, runId, startedAt)
  running.begin({ work, runId, startedAt, ranMs: Math.max(0, now - startedAt), noticedAt: moment })
  const session = held.get(heldKey(work))
  if (session !== undefined && holderOf(entry, work, runId) === undefined) entry.move(session, { type: "began" })
}

/** Counts the time of a turn that's over. */
export const finishTurn = (entry: Entry, { gatewayId, sessionKey }: HeldPlace, runId: string): void => {
  const { db, held, moment, now, running } = entry
  const turn = running.end({ gatewayId, sessionKey }, runId)
  const session = held.get(heldKey({ gatewayId, sessionKey }))
  if (session !== undefined && (session.messageId === runId || session.hasBegun)) entry.move(session, { type: "ended" })
  if (turn === undefined) return
  endTurn(db, turn.work, runId, running.elapsedMs(turn, moment))
  for (const before of entry.budgets.values()) {
    if (!covers(before.scope, turn.work)) continue
    const budget = rolled(entry, before)
    const ms = running.msWithin(turn, budget.periodStart, now, moment)
    judge(entry, { ...budget, spent: added(budget.spent, { ms }) }, "spent", BY_CHANGE)
  }
}

type HeldPlace = Pick<HeldSession, "gatewayId" | "sessionKey">

/** Whether time has changed a budget: its period is over, or running turns have reached a limit. */
export const isDue = (budget: StoredBudget, account: StoredBudget, now: number): boolean => {
  if (currentPeriod(budget, now).start !== budget.periodStart) return true
  if (budget.limit.minutes === undefined || budget.pausedAt !== undefined) return false
  return usedUp(account).length > 0 || (!budget.isWarned && hasReached(account, budget.warnAt))
}

/** Lets time pass for every budget. */
export const passTime = (entry: Entry): void => {
  for (const before of entry.budgets.values()) {
    const budget = rolled(entry, before)
    if (isDue(budget, accountOf(entry, budget), entry.now)) judge(entry, budget, "spent", BY_CHANGE)
  }
}

/** A budget of runs in the one that is running now; what that has spent already counts. */
export const inCurrentRun = (entry: Entry, budget: StoredBudget): StoredBudget => {
  const turns = entry.running.all().filter(({ work }) => covers(budget.scope, work))
  const start = Math.min(entry.now, ...turns.map(({ startedAt }) => startedAt))
  if (turns[0] === undefined) return inPeriod(budget, start)
  const spent = spentBetween(entry.db, budget.scope, start - CLOCKS_APART_MS, Infinity)
  return { ...inPeriod(budget, start, spent), runRoot: turns[0].work.rootKey }
}

/** Forgets what is older than any period. */
export const forgetOld = ({ db, now }: Entry): Result.Result<void> => {
  forgetSpendBefore(db, now - KEPT_MS)
  return Result.void
}

/** Forgets what is known of a removed gateway's sessions; what they spent stays counted. */
export const forgetGateway =
  (gatewayId: string) =>
  (entry: Entry): Result.Result<void> => {
    forgetSpendOf(entry.db, gatewayId)
    for (const { runId, work } of entry.running.all()) if (work.gatewayId === gatewayId) entry.running.end(work, runId)
    for (const session of [...entry.held.values()]) if (session.gatewayId === gatewayId) entry.drop(session)
    return Result.void
  }

/** Adds a budget with what its period has spent already. */
export const addBudget = (entry: Entry, budget: StoredBudget): void => judge(entry, budget, "created", BY_CHANGE)

/** Changes a budget; what was granted in this period stays. */
export const changeBudget = (
  entry: Entry,
  before: StoredBudget,
  { name, version: _, ...fields }: BudgetPatch
): void => {
  const next: StoredBudget = {
    ...before,
    ...fields,
    name: name === undefined ? before.name : name?.trim() || undefined,
    version: before.version + 1
  }
  const { end = Infinity, start } = currentPeriod(next, entry.now)
  const moved =
    next.zone === before.zone || start === before.periodStart
      ? next
      : { ...next, periodStart: start, spent: spentBetween(entry.db, next.scope, start, end) }
  judge(entry, moved, "updated", BY_CHANGE)
}

/** Removes a budget: what only it held goes on. */
export const removeBudget = (entry: Entry, budget: StoredBudget): void => {
  entry.remove(budget)
  for (const key of [pauseKey(budget), warnKey(budget), unpricedKey(budget)])
    entry.settle(key, { action: "ended", at: entry.now, by: "console" })
  if (budget.pausedAt !== undefined) release(entry, (work) => covers(budget.scope, work), true)
}

/** Each stopped root gets a last turn. */
const finish = (entry: Entry, budget: StoredBudget): void => {
  for (const session of [...entry.held.values()]) {
    const { gatewayId, rootKey, stopReason } = session
    if (stopReason !== undefined || !covers(budget.scope, entry.workOf(gatewayId, session.sessionKey))) continue
    const root = entry.held.get(heldKey({ gatewayId, sessionKey: rootKey })) ?? { ...session, sessionKey: rootKey }
    entry.move(root, { type: "finish", messageId: randomUUID() })
  }
}

/** Executes what a person decided about a paused budget. */
export const decide = (
  entry: Entry,
  budget: StoredBudget,
  { action, text = "" }: BudgetDecision
): Result.Result<void, BudgetNotPaused | InvalidBudget> => {
  if (budget.pausedAt === undefined) return Result.fail(new BudgetNotPaused())
  const offered: ReadonlyArray<string> = BUDGET_DECISIONS[budget.action]
  if (!offered.includes(action))
    return Result.fail(new InvalidBudget(failure("MUST_BE_ONE_OF", { field: "action", words: offered.join(", ") })))
  const account = accountOf(entry, budget)
  const ending: Ending = { action, by: "console", goesOn: true }
  const settled = () => entry.settle(pauseKey(budget), { action, at: entry.now, by: "console" })
  switch (action) {
    case "again":
      judge(entry, { ...budget, extra: grantedAgain(account) }, "updated", ending)
      break
    case "raise": {
      const limit = raisedLimit(account, text)
      if (limit === undefined) return Result.fail(new InvalidBudget(failure("RAISE_IS_TOO_LOW", { field: "text" })))
      const raised = { ...budget, limit, version: budget.version + 1 }
      // Units that are used up besides the raised one would keep it paused.
      judge(entry, { ...raised, extra: grantedAgain(accountOf(entry, raised)) }, "updated", ending)
      break
    }
    case "finish": {
      const finishing = { ...budget, isFinishing: true }
      entry.put(finishing, "updated")
      finish(entry, finishing)
      settled()
      break
    }
    default:
      settled()
  }
  return Result.void
}

/** Begins the stop of everything; the first one counts. */
export const stopEverything = (entry: Entry, by: string, reason: string | undefined): ActiveStop => {
  if (entry.stop !== undefined) return entry.stop
  const stop: ActiveStop = { since: entry.now, by, ...(reason === undefined ? {} : { reason }) }
  entry.stopWith(stop)
  return stop
}

/** Ends it. What it stopped doesn't go on by itself; the board is yet to be told of stopped cards. */
export const endStop = (entry: Entry): void => {
  entry.stopWith(undefined)
  for (const session of [...entry.held.values()]) {
    const isCard = entry.workOf(session.gatewayId, session.sessionKey).taskId !== undefined
    if (session.stopReason !== undefined && !isCard) entry.drop(session)
  }
}
