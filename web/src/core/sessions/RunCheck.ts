import { runEvidence } from "../../../../src/contract/runEvidence.ts"
import { fieldsOf, recordsOf } from "../common/decode.ts"
import type { GatewayLink } from "../link/linkTypes.ts"

/** Messages at the end of a history that show how a run went. */
const LAST_MESSAGES = 6
const AT_ONCE = 4
/** Maximum runs looked up in one go. */
const MOST = 40
/** A run that stays silent is looked up again after this time. */
const AGAIN_AFTER = 60_000
/** The row follows the end of a run at once; otherwise the run is looked up. */
const END_GRACE = 1_000

/** A run claimed by a list row; its start in gateway time distinguishes it from others in its session. */
export interface ClaimedRun {
  readonly key: string
  readonly startedAt: number
}

export interface RunCheckHooks {
  /** Gateway time. */
  readonly now: () => number
  readonly onOver: (run: ClaimedRun) => void
  /** Something has to be looked up: `check` is due. */
  readonly onDoubt: () => void
}

/**
 * Which claimed runs really exist, for the gateway generation whose list keeps stopped and lost runs as running: one
 * heard of on this connection exists; any other is looked up in its session's history.
 */
export class RunCheck {
  private readonly link: Pick<GatewayLink, "request">
  private readonly hooks: RunCheckHooks
  private readonly heard = new Set<string>()
  /** Known from before: assumed until looked up. */
  private readonly doubtful = new Set<string>()
  /** Runs looked up on this connection, and whether they seem to be alive. */
  private readonly found = new Map<string, { readonly startedAt: number; readonly isAlive: boolean }>()
  private readonly asking = new Map<string, Promise<void>>()
  private connection = 0
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(link: Pick<GatewayLink, "request">, hooks: RunCheckHooks) {
    this.link = link
    this.hooks = hooks
  }

  /** Something about the session's run arrived on the current connection. */
  hear(key: string): void {
    this.heard.add(key)
  }

  /** A run of the session has ended, not necessarily the one its row claims. */
  hearEnd(key: string): void {
    this.heard.delete(key)
    this.found.delete(key)
    this.doubtful.add(key)
    clearTimeout(this.timer)
    this.timer = setTimeout(this.hooks.onDoubt, END_GRACE)
  }

  isBelieved({ key, startedAt }: ClaimedRun): boolean {
    const found = this.found.get(key)
    return this.heard.has(key) || this.doubtful.has(key) || (found?.startedAt === startedAt && found.isAlive)
  }

  /** The connection is new: known runs may have ended unnoticed. */
  startAnew(): void {
    this.connection++
    for (const key of this.heard) this.doubtful.add(key)
    this.heard.clear()
    this.doubt()
    this.found.clear()
    this.asking.clear()
  }

  /** Those that seemed alive have to be looked up again. */
  private doubt(): void {
    clearTimeout(this.timer)
    for (const [key, { isAlive }] of this.found) {
      if (!isAlive) continue
      this.doubtful.add(key)
      this.found.delete(key)
    }
  }

  /** Looks up the claimed runs nothing is known about yet, newest first. */
  async check(claimed: ReadonlyArray<ClaimedRun>): Promise<void> {
    const mine = this.connection
    const unknown = claimed
      .filter(({ key, startedAt }) => !this.heard.has(key) && this.found.get(key)?.startedAt !== startedAt)
      .toSorted((a, b) => b.startedAt - a.startedAt)
    const queue = unknown.slice(0, MOST)
    const work = async () => {
      for (let run = queue.shift(); run !== undefined && mine === this.connection; run = queue.shift())
        await this.ask(run)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    if (mine !== this.connection) return
    for (const key of this.doubtful) if (!this.asking.has(key)) this.doubtful.delete(key)
    clearTimeout(this.timer)
    if (![...this.found.values()].some(({ isAlive }) => isAlive)) return
    this.timer = setTimeout(() => {
      this.doubt()
      this.hooks.onDoubt()
    }, AGAIN_AFTER)
  }

  /** One request for everyone asking at the same time. */
  private ask(run: ClaimedRun): Promise<void> {
    const asked = this.asking.get(run.key)
    if (asked !== undefined) return asked
    const asking = this.lookUp(run).finally(() => {
      if (this.asking.get(run.key) === asking) this.asking.delete(run.key)
    })
    this.asking.set(run.key, asking)
    return asking
  }

  private async lookUp(run: ClaimedRun): Promise<void> {
    const { key, startedAt } = run
    const mine = this.connection
    // A session that can't be read can only be judged by its age.
    const answer = await this.link.request("chat.history", { sessionKey: key, limit: LAST_MESSAGES }).catch(() => null)
    if (mine !== this.connection) return
    const evidence = runEvidence(recordsOf(fieldsOf(answer).messages), startedAt, this.hooks.now())
    this.found.set(key, { startedAt, isAlive: evidence === "alive" })
    this.doubtful.delete(key)
    if (evidence === "over") this.hooks.onOver(run)
  }

  dispose(): void {
    this.connection++
    clearTimeout(this.timer)
  }
}
