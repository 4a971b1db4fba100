/** The agent a session belongs to; keys are `agent:<agent>:<rest>`. */
export const agentOfKey = (key: string): string => /^agent:([^:]+):/.exec(key)?.[1] ?? "main"
