import type { GatewayLink } from "../link/linkTypes.ts"
import type { ClaimedRun, RunCheck, RunCheckHooks } from "./RunCheck.ts"

/** Which runs that only a row reports exist; what looks them up loads with the first such row. */
export type BelievedRuns = RunCheck

export function createBelievedRuns(link: Pick<GatewayLink, "request">, hooks: RunCheckHooks): BelievedRuns {
  /** Only older gateways' rows claim runs. */
  let runs: RunCheck | null = null
  /** Sessions whose runs were heard of before that. */
  const heardEarly = new Set<string>()
  let isDisposed = false

  async function load(): Promise<RunCheck | null> {
    const part = await import("./RunCheck.ts").catch(() => null)
    if (runs !== null || part === null || isDisposed) return runs
    runs = part.createRunCheck(link, hooks)
    for (const key of heardEarly) runs.hear(key)
    return runs
  }

  return {
    hear: (key) => (runs === null ? void heardEarly.add(key) : runs.hear(key)),
    hearEnd: (key) => (runs === null ? void heardEarly.delete(key) : runs.hearEnd(key)),
    isBelieved: (claim: ClaimedRun) => runs?.isBelieved(claim) ?? heardEarly.has(claim.key),
    startAnew: () => {
      heardEarly.clear()
      runs?.startAnew()
    },
    check: async (claimed) => {
      if (runs === null && claimed.length === 0) return
      await (await load())?.check(claimed)
    },
    dispose: () => {
      isDisposed = true
      runs?.dispose()
    }
  }
}
