import { Effect } from "effect"
import type { Exchange } from "./Exchange.ts"

/** Polled by monitors; logging each request would drown out everything else. */
const QUIET_PATHS = new Set(["/health", "/api/version"])
const MAX_PATH = 200

const printable = (path: string): string => {
  const visible = path.replace(/[^\x21-\x7e]/g, "?")
  return visible.length > MAX_PATH ? `${visible.slice(0, MAX_PATH)}…` : visible
}

/** One line per API request: method, path without query, status, milliseconds; never headers or bodies. */
export const requestLog = (exchange: Exchange, status: number): Effect.Effect<void> | undefined => {
  const { method, path, isApi, clock, now } = exchange
  if (!isApi || QUIET_PATHS.has(path)) return undefined
  return Effect.logInfo(`${method} ${printable(path)} ${status} ${clock.currentTimeMillisUnsafe() - now} ms`)
}
