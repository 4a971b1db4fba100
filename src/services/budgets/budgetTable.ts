import { BUDGET_ACTIONS, BUDGET_PERIODS } from "../../contract/budget.ts"
import { Budget, BudgetScope, type StopState } from "../../contract/schema/budget.ts"
import { isInteger, isText, orNull, readRows } from "../platform/sqlite/rowGuards.ts"
import type { SqlConnection } from "../platform/sqlite/Sqlite.ts"
import { flag, insertInto, integer, json, oneOf, optional, real, table, text } from "../platform/sqlite/table.ts"
import type { StoredBudget } from "./StoredBudget.ts"

/**
 * Budgets, whether everything is stopped, and what was stopped. The schema number isn't raised, because the version that
 * a rollback restores doesn't need the tables and would refuse a file with a newer number.
 */
export const budgetAdditions = `
  CREATE TABLE IF NOT EXISTS budgets (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT,
    scope TEXT NOT NULL,
    period TEXT NOT NULL,
    budget_limit TEXT NOT NULL,
    warn_at REAL NOT NULL,
    action TEXT NOT NULL,
    zone TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    version INTEGER NOT NULL,
    period_start INTEGER NOT NULL,
    run_root TEXT,
    nano INTEGER NOT NULL,
    ms INTEGER NOT NULL,
    turns INTEGER NOT NULL,
    unpriced INTEGER NOT NULL,
    extra_nano INTEGER NOT NULL,
    extra_ms INTEGER NOT NULL,
    extra_turns INTEGER NOT NULL,
    paused_at INTEGER,
    pauses INTEGER NOT NULL,
    item_id TEXT,
    is_finishing INTEGER NOT NULL,
    is_warned INTEGER NOT NULL,
    is_unpriced_told INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS stop_of_everything (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    since INTEGER NOT NULL,
    stopped_by TEXT NOT NULL,
    reason TEXT
  ) STRICT;
`

const BUDGET = table("budgets", {
  id: text,
  name: optional(text),
  scope: json(BudgetScope),
  period: oneOf(BUDGET_PERIODS),
  budgetLimit: json(Budget.fields.limit),
  warnAt: real,
  action: oneOf(BUDGET_ACTIONS),
  zone: text,
  createdAt: integer,
  version: integer,
  periodStart: integer,
  runRoot: optional(text),
  nano: integer,
  ms: integer,
  turns: integer,
  unpriced: integer,
  extraNano: integer,
  extraMs: integer,
  extraTurns: integer,
  pausedAt: optional(integer),
  pauses: integer,
  itemId: optional(text),
  isFinishing: flag,
  isWarned: flag,
  isUnpricedTold: flag
})

const SAVE = insertInto("budgets", BUDGET.names, "id")

/** All budgets, oldest first. */
export const loadBudgets = (db: SqlConnection): ReadonlyArray<StoredBudget> =>
  db.rows(`SELECT ${BUDGET.selected()} FROM budgets ORDER BY seq`).map((row) => {
    const { budgetLimit, extraMs, extraNano, extraTurns, ms, nano, turns, unpriced, ...own } = BUDGET.read(row)
    return {
      ...own,
      limit: budgetLimit,
      spent: { nano, ms, turns, unpriced },
      extra: { nano: extraNano, ms: extraMs, turns: extraTurns }
    }
  })

export const saveBudget = (db: SqlConnection, budget: StoredBudget): void => {
  const { extra, limit, spent, ...own } = budget
  db.run(
    SAVE,
    ...BUDGET.values({
      ...own,
      ...spent,
      budgetLimit: limit,
      extraNano: extra.nano,
      extraMs: extra.ms,
      extraTurns: extra.turns
    })
  )
}

export const deleteBudget = (db: SqlConnection, id: string): void => {
  db.run("DELETE FROM budgets WHERE id = ?", id)
}

/** The stop of everything while it lasts. */
export type ActiveStop = Required<Pick<StopState, "since" | "by">> & Pick<StopState, "reason">

export const loadStop = (db: SqlConnection): ActiveStop | undefined => {
  const [row] = readRows(
    [isInteger, isText, orNull(isText)],
    db.rows("SELECT since, stopped_by, reason FROM stop_of_everything")
  )
  if (row === undefined) return undefined
  const [since, by, reason] = row
  return { since, by, ...(reason === null ? {} : { reason }) }
}

/** Stores the stop of everything; `undefined` ends it. */
export const saveStop = (db: SqlConnection, stop: ActiveStop | undefined): void => {
  if (stop === undefined) db.run("DELETE FROM stop_of_everything")
  else db.run("INSERT OR IGNORE INTO stop_of_everything VALUES (1, ?, ?, ?)", stop.since, stop.by, stop.reason ?? null)
}
