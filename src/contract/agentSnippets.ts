/** How one client is told about the console's tools. */
export interface AgentSnippet {
  /** The client, and the file or program that takes it. */
  readonly client: string
  readonly text: string
}

/** What the console is called in a client's settings. */
export const SERVER_NAME = "agent-console"

/** The console as the newer gateways keep it in their configuration. */
export const gatewayServer = (url: string, token: string) => ({
  url,
  transport: "streamable-http",
  headers: { Authorization: `Bearer ${token}` }
})

const json = (value: object): string => JSON.stringify(value, null, 2)

/** What to paste where, for the common clients; `origin` is the console's address without a path. */
export const agentSnippets = (origin: string, token: string): ReadonlyArray<AgentSnippet> => {
  const url = `${origin}/mcp`
  const authorization = `Bearer ${token}`
  return [
    {
      client: "Claude Code",
      text: `claude mcp add --transport http agent-console ${url} --header "Authorization: ${authorization}"`
    },
    {
      client: "Codex (~/.codex/config.toml)",
      text: `[mcp_servers.agent-console]\nurl = "${url}"\nhttp_headers = { Authorization = "${authorization}" }`
    },
    {
      client: "Cursor (.cursor/mcp.json)",
      text: json({ mcpServers: { "agent-console": { url, headers: { Authorization: authorization } } } })
    },
    {
      client: "OpenClaw (newer gateways, on their machine)",
      text: `openclaw mcp set ${SERVER_NAME} '${JSON.stringify(gatewayServer(url, token))}'`
    },
    {
      client: "Any client that starts a program",
      text: json({
        mcpServers: {
          "agent-console": {
            command: "agent-console",
            args: ["mcp", "--url", origin],
            env: { AGENT_CONSOLE_TOKEN: token }
          }
        }
      })
    }
  ]
}
