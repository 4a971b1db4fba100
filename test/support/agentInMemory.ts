import { Effect } from "effect"
import type { AgentRight } from "../../src/contract/agentRights.ts"
import type { makeJsonApp } from "./gatewayApp.ts"

/** The request that opens a session, as sent by a client of the newest version. */
export const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } }
}

/** A message to `/mcp`. */
export const asking = (body: unknown, headers: Readonly<Record<string, string>>) => ({
  method: "POST",
  headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
  body: typeof body === "string" ? body : JSON.stringify(body)
})

/** An agent named `coder` of an app in memory, and its calls. */
export const agentOf = Effect.fnUntraced(function* (
  app: Effect.Success<ReturnType<typeof makeJsonApp>>,
  rights: ReadonlyArray<AgentRight>
) {
  const { body: token } = yield* app.send("POST", "/api/mcp/tokens", { name: "coder", rights })
  const authorization = `Bearer ${token.token}`
  const first = yield* app.request("/mcp", asking(initialize, { authorization }))
  const session = { "mcp-session-id": first.headers.get("mcp-session-id") ?? "" }
  const call = (name: string, args: object) =>
    app.request(
      "/mcp",
      asking(
        { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name, arguments: args } },
        { authorization, ...session }
      )
    )
  const result = (name: string, args: object) =>
    Effect.flatMap(call(name, args), (response) => Effect.map(app.json(response), (body) => Object(body).result))
  return { token, call, result }
})
