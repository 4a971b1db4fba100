import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { Effect, Schema } from "effect"
import type { AgentRight } from "../../src/contract/agentRights.ts"

const Created = Schema.Struct({ id: Schema.String, token: Schema.String })

/** Creates a token by the route that the settings use. */
export const newToken = Effect.fnUntraced(function* (url: string, name: string, rights: ReadonlyArray<AgentRight>) {
  const response = yield* Effect.promise(() =>
    fetch(`${url}/api/mcp/tokens`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name, rights })
    })
  )
  return yield* Effect.orDie(Schema.decodeUnknownEffect(Created)(yield* Effect.promise(() => response.json())))
})

/** The result of a tool: its value, or the failure returned to the agent. */
export interface ToolOutcome {
  readonly ok: boolean
  readonly value: ReturnType<typeof JSON.parse>
}

const textOf = (content: unknown): string => {
  const [first] = Array.isArray(content) ? content : []
  return typeof first?.text === "string" ? first.text : ""
}

/** The official client with one token, over HTTP, until the scope closes. */
export const mcpClient = Effect.fnUntraced(function* (url: string, token: string) {
  const client = new Client({ name: "test", version: "1.0.0" })
  yield* Effect.acquireRelease(
    Effect.promise(() =>
      client.connect(
        new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
          requestInit: { headers: { authorization: `Bearer ${token}` } }
        })
      )
    ),
    () => Effect.promise(() => client.close())
  )
  return agentOf(client)
})

/** A connected client as tests use it. */
export const agentOf = (client: Client) => ({
  client,
  tools: Effect.map(
    Effect.promise(() => client.listTools()),
    ({ tools }) => tools
  ),
  call: (name: string, args: Record<string, unknown> = {}): Effect.Effect<ToolOutcome> =>
    Effect.map(
      Effect.promise(() => client.callTool({ name, arguments: args })),
      ({ isError, content, structuredContent }) => {
        const text = textOf(content)
        return { ok: isError !== true, value: structuredContent ?? (text.startsWith("{") ? JSON.parse(text) : text) }
      }
    )
})
