import { Clock, Effect, Result, Semaphore } from "effect"
import type { Budget, BudgetChange, StopState } from "../../contract/schema/budget.ts"
import type { InboxChange, InboxResolution } from "../../contract/schema/inbox.ts"
import type { ItemStore } from "../inbox/ItemStore.ts"
import { findBySource, type ItemDraft, type ItemKey, openWithOrigin } from "../inbox/inboxTable.ts"
import type { EventBusShape } from "../platform/events/EventBus.ts"
import type { SqlConnection, SqliteShape, StoreError } from "../platform/sqlite/Sqlite.ts"
import { BUDGET_ORIGIN, budgetOfItem, type TitledBudget, unstoppedKey } from "./budgetItems.ts"
import { type ActiveStop, deleteBudget, loadBudgets, loadStop, saveBudget, saveStop } from "./budgetTable.ts"
import {
  deleteHeld,
  type HeldEvent,
  type HeldSession,
  isStopping,
  loadHeld,
  nextHeld,
  saveHeld
} from "./heldSession.ts"
import { makeRunningTurns, type RunningTurns } from "./RunningTurns.ts"
import { budgetShown, currentPeriod, type StoredBudget, withRunning } from "./StoredBudget.ts"
import { loadParents } from "./spendTable.ts"
import { covers, type Work, workOf } from "./workScope.ts"

export const heldKey = ({ gatewayId, sessionKey }: Pick<HeldSession, "gatewayId" | "sessionKey">): string =>
  JSON.stringify([gatewayId, sessionKey])

export const stopShown = (stop: ActiveStop | undefined): StopState =>
  stop === undefined ? { active: false } : { active: true, ...stop }

/** What holds work: the stop of everything, or the oldest of the budgets that are used up. */
export type Holder = { readonly stop: ActiveStop } | { readonly budget: StoredBudget }

/** What the book has, as one change sees it. */
interface Pages {
  readonly budgets: ReadonlyMap<string, StoredBudget>
  readonly held: ReadonlyMap<string, HeldSession>
  readonly stop: ActiveStop | undefined
}

/** What holds a session's turns; the message that asks it to sum up isn't held. */
export const holderOf = ({ budgets, held, stop }: Pages, work: Work, runId?: string): Holder | undefined => {
  if (stop !== undefined) return { stop }
  const holding = [...budgets.values()].filter(({ pausedAt, scope }) => pausedAt !== undefined && covers(scope, work))
  const [budget] = holding
  if (budget === undefined) return undefined
  const own = held.get(heldKey(work))
  const isSummary = runId !== undefined && own?.state === "summing" && own.messageId === runId
  return isSummary && holding.every(({ isFinishing }) => isFinishing) ? undefined : { budget }
}

/** One durable change of the book: what it reads has what it wrote before. */
export interface Entry extends Pages {
  readonly db: SqlConnection
  /** Epoch milliseconds. */
  readonly now: number
  /** The same moment by a clock that nobody sets. */
  readonly moment: bigint
  readonly running: RunningTurns
  readonly workOf: (gatewayId: string, sessionKey: string) => Work
  /** With the title of the card that it's for, as far as that's known. */
  readonly titled: (budget: StoredBudget) => TitledBudget
  readonly put: (budget: StoredBudget, action: BudgetChange["action"]) => void
  readonly remove: (budget: StoredBudget) => void
  readonly hold: (session: HeldSession) => void
  /** Moves a held session on. */
  readonly move: (session: HeldSession, event: HeldEvent) => void
  readonly drop: (session: HeldSession) => void
  readonly stopWith: (stop: ActiveStop | undefined) => void
  /** Opens an inbox item; returns its id unless it was opened before. */
  readonly open: (draft: ItemDraft) => string | undefined
  readonly settle: (key: ItemKey, resolution: InboxResolution) => void
}

/** Notes the sessions to stop together with what holds them, so that a stop is intended before anybody acts. */
const intendStops = (entry: Entry, intended: (sessionKey: string) => void): void => {
  const isHolding =
    entry.stop !== undefined || [...entry.budgets.values()].some(({ pausedAt }) => pausedAt !== undefined)
  if (!isHolding) return
  for (const { runId, work } of entry.running.all()) {
    if (holderOf(entry, work, runId) === undefined) continue
    const known = entry.held.get(heldKey(work))
    // Who is asked to go on or to sum up stays so, whatever else runs in the session.
    if (known !== undefined && known.state !== "stopped") continue
    const { gatewayId, rootKey, sessionKey } = work
    intended(heldKey(work))
    if (known !== undefined) entry.hold({ ...known, state: "restopping", since: entry.now })
    else
      entry.hold({
        gatewayId,
        sessionKey,
        rootKey,
        state: "stopping",
        since: entry.now,
        hasBegun: false,
        stopReason: entry.stop === undefined ? undefined : (entry.stop.reason ?? "")
      })
  }
}

/** Budgets, what they hold and the stop of everything: in the database, and in memory for what asks often. */
export const makeBudgetBook = Effect.fnUntraced(function* (sqlite: SqliteShape, items: ItemStore, bus: EventBusShape) {
  const order = yield* Semaphore.make(1)
  const loaded = yield* sqlite
    .read((db) => ({ budgets: loadBudgets(db), stop: loadStop(db), held: loadHeld(db), parents: loadParents(db) }))
    .pipe(Effect.orDie)
  const parents = new Map(loaded.parents.map(([gatewayId, key, parent]) => [JSON.stringify([gatewayId, key]), parent]))
  const running = makeRunningTurns()
  const listeners = new Set<() => void>()
  /** The sessions that are to be stopped since somebody asked. */
  const intents = new Set<string>()
  /** Of the cards that have a budget. */
  const cardTitles = new Map<string, string>()
  /** Budgets whose spending isn't told yet. */
  const untold = new Set<string>()
  let pages: Pages = {
    budgets: new Map(loaded.budgets.map((budget) => [budget.id, budget])),
    held: new Map(loaded.held.map((session) => [heldKey(session), session])),
    stop: loaded.stop
  }

  const workIn = (gatewayId: string, sessionKey: string): Work =>
    workOf(gatewayId, sessionKey, (key) => parents.get(JSON.stringify([gatewayId, key])))

  const shown = (budget: StoredBudget, now: number, moment: bigint): Budget =>
    budgetShown(withRunning(budget, running.msOf(budget, now, moment)), currentPeriod(budget, now).end)

  const entryOf = (db: SqlConnection, now: number, moment: bigint) => {
    const budgets = new Map(pages.budgets)
    const held = new Map(pages.held)
    const changes: Array<InboxChange> = []
    const told: Array<{ readonly action: BudgetChange["action"]; readonly budget: StoredBudget }> = []
    let stop = pages.stop
    const settle = (key: ItemKey, resolution: InboxResolution) => {
      changes.push(...items.settled(db, findBySource(db, key), () => resolution))
    }
    /** Takes back what was told of a stop that failed, once the session isn't to be stopped any more. */
    const notStopping = ({ gatewayId, sessionKey }: HeldSession) => {
      const before = held.get(heldKey({ gatewayId, sessionKey }))
      if (before !== undefined && isStopping(before))
        settle(unstoppedKey(before), { action: "ended", at: now, by: "console" })
    }
    const drop = (session: HeldSession) => {
      notStopping(session)
      held.delete(heldKey(session))
      deleteHeld(db, session)
    }
    const hold = (session: HeldSession) => {
      if (!isStopping(session)) notStopping(session)
      held.set(heldKey(session), session)
      saveHeld(db, session)
    }
    const entry: Entry = {
      budgets,
      held,
      get stop() {
        return stop
      },
      db,
      now,
      moment,
      running,
      workOf: workIn,
      titled: (budget) => ({
        budget,
        cardTitle: budget.scope.kind === "task" ? cardTitles.get(budget.scope.taskId) : undefined
      }),
      put: (budget, action) => {
        budgets.set(budget.id, budget)
        saveBudget(db, budget)
        told.push({ action, budget })
      },
      remove: (budget) => {
        budgets.delete(budget.id)
        deleteBudget(db, budget.id)
        told.push({ action: "removed", budget })
      },
      hold,
      move: (session, event) => {
        const next = nextHeld(session, event)
        if (next === undefined) drop(session)
        else if (next !== session) hold(next)
      },
      drop,
      stopWith: (next) => {
        stop = next
        saveStop(db, next)
      },
      open: (draft) => {
        const opened = items.opened(db, draft)
        changes.push(...opened)
        return opened[0]?.item.id
      },
      settle
    }
    return { entry, changes, told }
  }

  const publish = (told: ReturnType<typeof entryOf>["told"], before: Pages) =>
    Effect.gen(function* () {
      const [now, moment] = [yield* Clock.currentTimeMillis, yield* Clock.currentTimeNanos]
      for (const { action, budget } of told) {
        if (action === "spent") untold.add(budget.id)
        else {
          untold.delete(budget.id)
          yield* bus.publish({ event: "budget.changed", data: { action, budget: shown(budget, now, moment) } })
        }
      }
      if (before.stop !== pages.stop) yield* bus.publish({ event: "stop.changed", data: stopShown(pages.stop) })
    })

  /** Writes one change; it's on disk before anything acts on it. A refused one changes nothing. */
  const write = <A, E>(body: (entry: Entry) => Result.Result<A, E>): Effect.Effect<A, E | StoreError> =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const moment = yield* Clock.currentTimeNanos
      const before = pages
      let done: { readonly result: Result.Result<A, E>; readonly draft: ReturnType<typeof entryOf> } | undefined
      yield* items.change((db) => {
        const draft = entryOf(db, now, moment)
        const result = body(draft.entry)
        if (Result.isSuccess(result)) intendStops(draft.entry, (key) => intents.add(key))
        done = { result, draft }
        return Result.isSuccess(result) ? draft.changes : []
      })
      if (done === undefined) return yield* Effect.die("a change of the budgets didn't run")
      const { draft, result } = done
      if (Result.isFailure(result)) return yield* Effect.fail(result.failure)
      const { budgets, held, stop } = draft.entry
      pages = { budgets, held, stop }
      yield* publish(draft.told, before)
      for (const listener of listeners) listener()
      return result.success
    }).pipe(order.withPermit, Effect.uninterruptible)

  return {
    write,
    read: sqlite.read,
    pages: () => pages,
    running,
    workOf: workIn,
    parentOf: (gatewayId: string, sessionKey: string) => parents.get(JSON.stringify([gatewayId, sessionKey])),
    /** Notes who spawned a session; the database has it, too. */
    spawned: (gatewayId: string, sessionKey: string, parentKey: string) => {
      parents.set(JSON.stringify([gatewayId, sessionKey]), parentKey)
    },
    /** Notes what a card is called. */
    called: (taskId: string, title: string) => {
      cardTitles.set(taskId, title)
    },
    holderOf: (work: Work, runId?: string) => holderOf(pages, work, runId),
    /** A text that is another one when something else is held. */
    holding: (): string =>
      JSON.stringify([
        pages.stop?.since,
        ...[...pages.budgets.values()].flatMap(({ id, isFinishing, pausedAt }) =>
          pausedAt === undefined ? [] : [id, isFinishing]
        )
      ]),
    /** A budget as it is now. */
    shown: (budget: StoredBudget) =>
      Effect.map(Effect.all([Clock.currentTimeMillis, Clock.currentTimeNanos]), ([now, moment]) =>
        shown(budget, now, moment)
      ),
    /** The same where nothing can wait. */
    shownAt: shown,
    /** The sessions of which a turn was to be stopped since the last call. */
    takeIntents: (): number => {
      const count = intents.size
      intents.clear()
      return count
    },
    /** Calls a listener after each change. */
    onChange: (listener: () => void) => {
      listeners.add(listener)
    },
    /** Tells what was spent since the last time. */
    tellSpent: Effect.suspend(() => {
      const ids = [...untold]
      untold.clear()
      const found = ids.flatMap((id) => pages.budgets.get(id) ?? [])
      return Effect.flatMap(Effect.all([Clock.currentTimeMillis, Clock.currentTimeNanos]), ([now, moment]) =>
        Effect.forEach(
          found,
          (budget) =>
            bus.publish({ event: "budget.changed", data: { action: "spent", budget: shown(budget, now, moment) } }),
          { discard: true }
        )
      )
    }),
    /** Marks budgets whose running turns have taken some more time. */
    timePasses: () => {
      for (const budget of pages.budgets.values())
        if (budget.limit.minutes !== undefined && running.countOf(budget) > 0) untold.add(budget.id)
    },
    /** Ends the items of pauses that are over, whose end the inbox didn't store. */
    settleOrphans: write(({ budgets, db, now, settle }) => {
      for (const { from, item } of openWithOrigin(db, BUDGET_ORIGIN)) {
        const budget = budgets.get(budgetOfItem(from.source))
        const isOver = from.source.includes(" pause ") ? budget?.itemId !== item.id : budget === undefined
        if (isOver) settle(from, { action: "ended", at: now, by: "console" })
      }
      return Result.void
    })
  }
})

export type BudgetBook = Effect.Success<ReturnType<typeof makeBudgetBook>>
