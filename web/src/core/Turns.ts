import type { Run } from "./liveTurn.ts"

const MAX_REMEMBERED = 200

/** The turns of one session that this page has heard of. */
export class Turns {
  readonly runs = new Map<string, Run>()
  /** Turns that run. */
  readonly active = new Set<string>()
  /** Turns that ended, but whose last message the history has not shown yet. */
  readonly unsettled = new Set<string>()
  /** Turns of which the history never showed everything, such as the answer to a command. */
  private readonly lasting = new Set<string>()
  /** Turns of which nothing is taken any more: late frames, second errors and late tool results end here. */
  private readonly over = new Set<string>()
  private heard = 0

  /** A point between frames: what was heard before it has a smaller `heardAt`, what comes after a larger one. */
  mark(): number {
    return ++this.heard
  }

  isOver(id: string): boolean {
    return this.over.has(id)
  }

  /** The turn, made on first sight; null once it is over. */
  open(id: string, heardAt = this.mark()): { readonly run: Run; readonly isNew: boolean } | null {
    if (this.over.has(id)) return null
    const known = this.runs.get(id)
    const run = known ?? { id, startedAt: null, endedAt: null, count: 0, segmented: false, heardAt }
    run.heardAt = heardAt
    this.runs.set(id, run)
    const isNew = !this.active.has(id)
    this.active.add(id)
    return { run, isNew }
  }

  /** Ends a turn, last heard of just now or at a mark, at a gateway time; null when it was over already. */
  end(id: string, at: number | null, heardAt = this.mark()): Run | null {
    const opened = this.open(id, heardAt)
    if (opened === null) return null
    this.close(id)
    opened.run.endedAt = at
    this.unsettled.add(id)
    return opened.run
  }

  /** Takes nothing more under this run id, which never became a turn of its own. */
  close(id: string): void {
    this.active.delete(id)
    this.over.add(id)
    const oldest = this.over.values().next().value
    if (this.over.size <= MAX_REMEMBERED || oldest === undefined) return
    this.over.delete(oldest)
    this.lasting.delete(oldest)
    if (!this.unsettled.has(oldest)) this.runs.delete(oldest)
  }

  /** Stops waiting for the history of ended turns; what is on screen of them stays. */
  settleAll(): void {
    for (const id of this.unsettled) this.lasting.add(id)
    this.unsettled.clear()
  }

  /** Whether a turn counts as running that was last heard of before a mark. */
  runsFrom(before: number): boolean {
    return [...this.active].some((id) => (this.runs.get(id)?.heardAt ?? 0) < before)
  }

  /** Leaves ended turns that were last heard of before a mark to the history alone. */
  doubt(before: number): void {
    for (const ids of [this.unsettled, this.lasting])
      for (const id of ids) if ((this.runs.get(id)?.heardAt ?? 0) < before) ids.delete(id)
  }

  /** Turns whose items stay on screen although the history lacks them. */
  kept(): ReadonlySet<string> {
    return new Set([...this.active, ...this.unsettled, ...this.lasting])
  }
}
