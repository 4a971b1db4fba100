import { Effect } from "effect"
import { AGENT_RIGHTS } from "../../src/contract/agentRights.ts"
import { mcpClient, newToken } from "./mcpClient.ts"
import { serveApp } from "./serveApp.ts"

/** The whole app on a port of its own: its address. */
export const served = Effect.map(serveApp(), ({ port }) => `http://127.0.0.1:${port}`)

/** An agent with these rights, connected to an app of its own. */
export const withAgent = Effect.fnUntraced(function* (
  rights: ReadonlyArray<(typeof AGENT_RIGHTS)[number]> = AGENT_RIGHTS
) {
  const url = yield* served
  const { token, id } = yield* newToken(url, "coder", rights)
  return { url, token, id, ...(yield* mcpClient(url, token)) }
})

/** The console's own routes, as the page calls them. */
export const rest = (url: string, method: string, path: string, body?: object) =>
  Effect.promise(() =>
    fetch(`${url}${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) })
    }).then(async (response) => ({ status: response.status, body: JSON.parse((await response.text()) || "null") }))
  )
