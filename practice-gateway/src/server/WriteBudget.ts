import { GatewayRefusal } from "../wire/GatewayRefusal.ts"

const LIMIT = 30
const WINDOW_MS = 60_000
const RATIONED = ["cron.add", "cron.update", "cron.remove", "cron.run", "config.apply", "config.patch"]

/** How often a client may change settings and jobs: each method 30 times a minute. */
export class WriteBudget {
  private readonly used = new Map<string, { count: number; readonly since: number }>()

  /** Counts a request; answers the refusal of one too many. */
  refusal(client: string, method: string, now: number): GatewayRefusal | undefined {
    if (!RATIONED.includes(method)) return undefined
    const key = `${method} ${client}`
    const known = this.used.get(key)
    const window = known === undefined || now - known.since >= WINDOW_MS ? { count: 0, since: now } : known
    this.used.set(key, window)
    window.count += 1
    if (window.count <= LIMIT) return undefined
    const seconds = Math.ceil((window.since + WINDOW_MS - now) / 1000)
    return new GatewayRefusal({
      code: "UNAVAILABLE",
      message: `rate limit exceeded for ${method}; retry after ${seconds}s`,
      details: { method, limit: `${LIMIT} per ${WINDOW_MS / 1000}s` }
    })
  }
}
