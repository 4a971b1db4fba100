/** What a token allows an agent: reading the board, proposing changes, changing it, asking a person, searching, and letting tasks start by themselves. */
export const AGENT_RIGHTS = ["read", "propose", "write", "ask", "search", "run"] as const
export type AgentRight = (typeof AGENT_RIGHTS)[number]

/** Enough to be useful, and nothing happens without the person. */
export const USUAL_RIGHTS: ReadonlyArray<AgentRight> = ["read", "propose", "ask"]
