import { Clock, Effect } from "effect"
import type { Middleware } from "./Middleware.ts"

/** Polled by monitors; logging each request would drown out everything else. */
const QUIET_PATHS = new Set(["/health", "/api/version"])
const MAX_PATH = 200

const printable = (path: string): string => {
  const visible = path.replace(/[^\x21-\x7e]/g, "?")
  return visible.length > MAX_PATH ? `${visible.slice(0, MAX_PATH)}…` : visible
}

/** One line per API request: method, path without query, status, milliseconds; never headers or bodies. */
export const requestLog: Effect.Effect<Middleware> = Effect.succeed((next) => (exchange) => {
  if (!exchange.isApi || QUIET_PATHS.has(exchange.path)) return next(exchange)
  return Effect.flatMap(Clock.currentTimeMillis, (startedAt) => {
    exchange.answered = (status) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.logInfo(`${exchange.request.method} ${printable(exchange.path)} ${status} ${now - startedAt} ms`)
      )
    return next(exchange)
  })
})
