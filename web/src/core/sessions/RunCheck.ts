import { fieldsOf, recordsOf } from "../../../../src/contract/looseFields.ts"
import { runEvidence } from "../../../../src/contract/runEvidence.ts"
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

export interface RunCheck {
  /** Something about the session's run arrived on the current connection. */
  noteActivity(key: string): void
  /** A run of the session has ended, not necessarily the one its row claims. */
  noteEnd(key: string): void
  isBelieved(run: ClaimedRun): boolean
  /** The connection is new: known runs may have ended unnoticed. */
  startAnew(): void
  /** Looks up the claimed runs nothing is known about yet, newest first. */
  check(claimed: ReadonlyArray<ClaimedRun>): Promise<void>
  dispose(): void
}

/**
 * Which claimed runs really exist, for the gateway generation whose list keeps stopped and lost runs as running: one
 * heard of on this connection exists; any other is looked up in its session's history.
 */
export function createRunCheck(link: Pick<GatewayLink, "request">, hooks: RunCheckHooks): RunCheck {
  const confirmed = new Set<string>()
  /** Known from before: assumed until looked up. */
  const doubtful = new Set<string>()
  /** Runs looked up on this connection, and whether they seem to be alive. */
  const found = new Map<string, { readonly startedAt: number; readonly isAlive: boolean }>()
  const asking = new Map<string, Promise<void>>()
  let connection = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  /** Those that seemed alive have to be looked up again. */
  function doubt(): void {
    clearTimeout(timer)
    for (const [key, { isAlive }] of found) {
      if (!isAlive) continue
      doubtful.add(key)
      found.delete(key)
    }
  }

  /** One request for everyone asking at the same time. */
  function ask(run: ClaimedRun): Promise<void> {
    const asked = asking.get(run.key)
    if (asked !== undefined) return asked
    const request = lookUp(run).finally(() => {
      if (asking.get(run.key) === request) asking.delete(run.key)
    })
    asking.set(run.key, request)
    return request
  }

  async function lookUp(run: ClaimedRun): Promise<void> {
    const { key, startedAt } = run
    const mine = connection
    // A session that can't be read can only be judged by its age.
    const answer = await link.request("chat.history", { sessionKey: key, limit: LAST_MESSAGES }).catch(() => null)
    if (mine !== connection) return
    const evidence = runEvidence(recordsOf(fieldsOf(answer).messages), startedAt, hooks.now())
    found.set(key, { startedAt, isAlive: evidence === "alive" })
    doubtful.delete(key)
    if (evidence === "over") hooks.onOver(run)
  }

  return {
    noteActivity: (key) => {
      confirmed.add(key)
    },
    noteEnd: (key) => {
      confirmed.delete(key)
      found.delete(key)
      doubtful.add(key)
      clearTimeout(timer)
      timer = setTimeout(hooks.onDoubt, END_GRACE)
    },
    isBelieved: ({ key, startedAt }) => {
      const known = found.get(key)
      return confirmed.has(key) || doubtful.has(key) || (known?.startedAt === startedAt && known.isAlive)
    },
    startAnew: () => {
      connection++
      for (const key of confirmed) doubtful.add(key)
      confirmed.clear()
      doubt()
      found.clear()
      asking.clear()
    },
    check: async (claimed) => {
      const mine = connection
      const unknown = claimed
        .filter(({ key, startedAt }) => !confirmed.has(key) && found.get(key)?.startedAt !== startedAt)
        .toSorted((a, b) => b.startedAt - a.startedAt)
      const queue = unknown.slice(0, MOST)
      const work = async () => {
        for (let run = queue.shift(); run !== undefined && mine === connection; run = queue.shift()) await ask(run)
      }
      await Promise.all(Array.from({ length: AT_ONCE }, work))
      if (mine !== connection) return
      for (const key of doubtful) if (!asking.has(key)) doubtful.delete(key)
      clearTimeout(timer)
      if (![...found.values()].some(({ isAlive }) => isAlive)) return
      timer = setTimeout(() => {
        doubt()
        hooks.onDoubt()
      }, AGAIN_AFTER)
    },
    dispose: () => {
      connection++
      clearTimeout(timer)
    }
  }
}
