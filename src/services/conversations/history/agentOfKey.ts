/**
 * The agent a session belongs to; keys are `agent:<agent>:<rest>`. `@` for one of an added gateway: its files aren't on the
 * console's machine.
 */
export const agentOfKey = (key: string): string =>
  key.startsWith("@") ? "@" : (/^agent:([^:]+):/.exec(key)?.[1] ?? "main")
