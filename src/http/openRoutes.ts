/** All routes that anybody may call while sign-in is on. A route marked open that isn't here keeps the console from starting. */
export const OPEN_ROUTES: ReadonlySet<string> = new Set([
  "GET /health",
  "GET /healthz",
  "GET /readyz",
  "GET /api/version",
  "GET /api/auth/status",
  "POST /api/auth/login",
  "POST /api/auth/logout"
])

/** All routes that decide for themselves whom they let in, and by what. */
export const OWN_ROUTES: ReadonlyMap<string, string> = new Map([
  ["GET /*", "anybody: the page's index and the app's files, which hold no data"],
  ["* /.well-known/*", "anybody: nothing is there"],
  ["* /languages/*", "anybody: the page's own texts, which hold no data"],
  ["GET /ws", "the page's origin, then its session"],
  ["GET /metrics", "this machine, or a session"],
  ["POST /api/backup", "a command on this machine, by the secret in the console's folder"],
  ["GET /mcp", "an agent's token"],
  ["POST /mcp", "an agent's token"],
  ["DELETE /mcp", "an agent's token"]
])
