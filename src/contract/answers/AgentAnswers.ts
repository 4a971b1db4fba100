/** What a token allows an agent: reading the board, proposing changes, changing it, asking a person, and searching. */
export const AGENT_RIGHTS = ["read", "propose", "write", "ask", "search"] as const
export type AgentRight = (typeof AGENT_RIGHTS)[number]

/** Enough to be useful, and nothing happens without the person. */
export const USUAL_RIGHTS: ReadonlyArray<AgentRight> = ["read", "propose", "ask"]

/** A token of an agent, without its secret. */
export interface AgentToken {
  readonly id: string
  /** What the board and the inbox call the agent. */
  readonly name: string
  readonly rights: ReadonlyArray<AgentRight>
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** Epoch milliseconds, to the minute; absent until it's used. */
  readonly lastUsedAt?: number
}

/** A new token, with the secret that is never shown again. */
export interface NewAgentToken extends AgentToken {
  readonly token: string
}

/**
 * Whether the gateway's own agents have the console's tools. `revoked`: the gateway has them, but their token was
 * revoked here. `taken`: somebody else gave the gateway a server of this name. `older`: this gateway can't have any.
 */
export const GATEWAY_AGENT_STATES = ["off", "on", "revoked", "taken", "older"] as const

export interface GatewayAgents {
  readonly state: (typeof GATEWAY_AGENT_STATES)[number]
  /** Where the gateway reaches this console: as it's set there, or else a proposal if both are on one machine. */
  readonly address?: string
}

/** The answers about agents' tokens by their request. */
export interface AgentAnswers {
  readonly "GET /api/mcp/tokens": { readonly tokens: ReadonlyArray<AgentToken> }
  readonly "POST /api/mcp/tokens": NewAgentToken
  readonly "DELETE /api/mcp/tokens/:id": { readonly ok: true }
  readonly "GET /api/mcp/gateway": GatewayAgents
  readonly "PUT /api/mcp/gateway": GatewayAgents
  readonly "DELETE /api/mcp/gateway": GatewayAgents
}
