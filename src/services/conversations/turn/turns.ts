import type { Failure } from "../../../contract/failure.ts"

/** A turn this page has heard of. */
export interface Run {
  readonly id: string
  /** Gateway time, null when its start was missed. */
  readonly startedAt: number | null
  /** Gateway time of its last message, null while it is running. */
  readonly endedAt: number | null
  /** Number of items so far; used for their keys. */
  readonly count: number
  /** Text comes in segments by `agent` events; then the `chat` events, which hold all segments as one, are ignored. */
  readonly segmented: boolean
  /** When its last frame arrived, as a mark and by this browser's clock. */
  readonly lastMark: number
  readonly lastAt: number
  /** What the lifecycle said about its end; the `chat` event that should follow has more. */
  readonly ending: RunEnd | null
}

export interface RunEnd {
  readonly outcome: "done" | "error" | "aborted"
  /** Why it failed; null unless it did. */
  readonly failure: Failure | null
  /** Gateway time. */
  readonly at: number | null
}

/**
 * What is still expected after a turn's end. `unsettled`: its last message in the history. `lasting`: nothing, but it
 * stays on screen although the history never showed all of it, such as the response to a command. `settled`: nothing
 * at all.
 */
type Standing = "unsettled" | "lasting" | "settled"

export interface Past {
  /** Null if the run id never became its own turn. */
  readonly run: Run | null
  readonly standing: Standing
  /** It only seemed to be over: its next frame continues where it was. */
  readonly mayReturn?: boolean
}

/** The session's turns this page has heard of. */
export interface Turns {
  /** Running turns. */
  readonly active: ReadonlyMap<string, Run>
  /** Turns that are over: late frames, second errors and late tool results end here. */
  readonly over: ReadonlyMap<string, Past>
  /** The last mark. A mark is a point between frames: what was heard before it has a smaller one. */
  readonly mark: number
}

const MAX_REMEMBERED = 200

export const NO_TURNS: Turns = { active: new Map(), over: new Map(), mark: 0 }

export const marked = (turns: Turns): Turns => ({ ...turns, mark: turns.mark + 1 })

export const runOf = (turns: Turns, id: string | null): Run | undefined =>
  id === null ? undefined : (turns.active.get(id) ?? turns.over.get(id)?.run ?? undefined)

/** A running turn with changes, or a new one. */
export const withRun = (turns: Turns, run: Run): Turns => ({ ...turns, active: new Map(turns.active).set(run.id, run) })

/** Notes a turn, which begins on first sight; null once it is over. */
export function withFrame(turns: Turns, id: string, now: number): Turns | null {
  const past = turns.over.get(id)
  if (past !== undefined && past.mayReturn !== true) return null
  const mark = turns.mark + 1
  const fresh = { id, startedAt: null, endedAt: null, count: 0, segmented: false, ending: null }
  const run = { ...(turns.active.get(id) ?? past?.run ?? fresh), lastMark: mark, lastAt: now }
  const next = { ...withRun(turns, run), mark }
  return past === undefined ? next : { ...next, over: new Map([...turns.over].filter(([other]) => other !== id)) }
}

export function withoutRun(turns: Turns, id: string): Turns {
  const active = new Map(turns.active)
  return active.delete(id) ? { ...turns, active } : turns
}

/** Ignores a run id from now on, which never became its own turn. */
export function closed(turns: Turns, id: string, past: Past = { run: null, standing: "settled" }): Turns {
  const over = new Map(turns.over)
  if (!over.has(id)) over.set(id, past)
  const oldest = over.keys().next().value
  if (over.size > MAX_REMEMBERED && oldest !== undefined) over.delete(oldest)
  return { ...withoutRun(turns, id), over }
}

/** Ids of ended turns whose last message the history hasn't shown yet. */
export const unsettled = ({ over }: Turns): ReadonlyArray<string> =>
  [...over].flatMap(([id, { standing }]) => (standing === "unsettled" ? [id] : []))

/** Changes what is expected of the ended turns that `which` picks. */
export function settled(turns: Turns, standing: Standing, which: (past: Past, id: string) => boolean): Turns {
  const over = new Map([...turns.over].map(([id, past]) => [id, which(past, id) ? { ...past, standing } : past]))
  return { ...turns, over }
}

/** Leaves ended turns last heard of before a mark to the history alone. */
export const doubted = (turns: Turns, before: number): Turns =>
  settled(turns, "settled", ({ run }) => (run?.lastMark ?? 0) < before)

/** Whether a turn last heard of before a mark counts as running. */
export const runsFrom = ({ active }: Turns, before: number): boolean =>
  [...active.values()].some(({ lastMark }) => lastMark < before)
