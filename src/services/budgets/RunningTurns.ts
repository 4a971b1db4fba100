import type { StoredBudget } from "./StoredBudget.ts"
import { covers, type Work } from "./workScope.ts"

const MILLION = 1_000_000n

/** A turn that is running. */
export interface RunningTurn {
  readonly work: Work
  readonly runId: string
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** What it had run when it was noticed, and the moment of that by a clock that nobody sets. */
  readonly ranMs: number
  readonly noticedAt: bigint
}

const keyOf = ({ gatewayId, sessionKey }: Pick<Work, "gatewayId" | "sessionKey">, runId: string): string =>
  JSON.stringify([gatewayId, sessionKey, runId])

/** How long a turn has run, whatever was done to the clock meanwhile. */
const elapsedMs = ({ noticedAt, ranMs }: RunningTurn, moment: bigint): number =>
  ranMs + Number((moment - noticedAt) / MILLION)

/** The part of a turn's time that lies in a period that began at `periodStart`. */
const msWithin = (turn: RunningTurn, periodStart: number, now: number, moment: bigint): number =>
  Math.max(0, Math.min(elapsedMs(turn, moment), turn.startedAt >= periodStart ? Infinity : now - periodStart))

/** The turns that are running on all gateways. */
export const makeRunningTurns = () => {
  const turns = new Map<string, RunningTurn>()
  const of = ({ scope }: Pick<StoredBudget, "scope">) => [...turns.values()].filter(({ work }) => covers(scope, work))
  return {
    all: (): ReadonlyArray<RunningTurn> => [...turns.values()],
    inSession: ({ gatewayId, sessionKey }: Pick<Work, "gatewayId" | "sessionKey">): ReadonlyArray<RunningTurn> =>
      [...turns.values()].filter(({ work }) => work.gatewayId === gatewayId && work.sessionKey === sessionKey),
    has: (work: Work, runId: string): boolean => turns.has(keyOf(work, runId)),
    begin: (turn: RunningTurn): void => {
      turns.set(keyOf(turn.work, turn.runId), turn)
    },
    /** Removes a turn; returns it if it was known. */
    end: (work: Pick<Work, "gatewayId" | "sessionKey">, runId: string): RunningTurn | undefined => {
      const key = keyOf(work, runId)
      const turn = turns.get(key)
      turns.delete(key)
      return turn
    },
    elapsedMs,
    msWithin,
    countOf: (budget: Pick<StoredBudget, "scope">): number => of(budget).length,
    /** What running turns have taken of a budget's minutes in its period. */
    msOf: (budget: StoredBudget, now: number, moment: bigint): number =>
      turns.size === 0 ? 0 : of(budget).reduce((sum, turn) => sum + msWithin(turn, budget.periodStart, now, moment), 0)
  }
}

export type RunningTurns = ReturnType<typeof makeRunningTurns>
