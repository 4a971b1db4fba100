import { AGENT_RIGHTS, type AgentRight, type AgentToken } from "../../../../src/contract/answers/AgentAnswers.ts"
import type { Answers } from "../../../../src/contract/answers/Answers.ts"
import { fieldsOf, filledText, listOf, numberOf, recordsOf, type Shown } from "../common/decode.ts"
import { say } from "../language/say.ts"

/** A token as shown on screen. */
export type AgentTokenRow = Shown<AgentToken>

/** Reads a token, as one that was never used; null without an id. */
const readUnused = (value: unknown): AgentTokenRow | null => {
  const token = fieldsOf<AgentToken>(value)
  const id = filledText(token.id)
  if (id === null) return null
  const rights = listOf(token.rights)
  return {
    id,
    name: filledText(token.name) ?? say("Agent"),
    rights: AGENT_RIGHTS.filter((right) => rights.includes(right)),
    createdAt: numberOf(token.createdAt) ?? 0,
    lastUsedAt: null
  }
}

/** Reads `GET /api/mcp/tokens`. */
export const readTokens = (value: unknown): ReadonlyArray<AgentTokenRow> =>
  recordsOf<AgentToken>(fieldsOf<Answers["GET /api/mcp/tokens"]>(value).tokens).flatMap((token) => {
    const row = readUnused(token)
    return row === null ? [] : [{ ...row, lastUsedAt: numberOf(token.lastUsedAt) }]
  })

/** A token with the secret that is shown once. */
export interface NewToken {
  readonly row: AgentTokenRow
  readonly secret: string
}

/** Reads `POST /api/mcp/tokens`; null without a secret. */
export const readNewToken = (value: unknown): NewToken | null => {
  const row = readUnused(value)
  const secret = filledText(fieldsOf<Answers["POST /api/mcp/tokens"]>(value).token)
  return row === null || secret === null ? null : { row, secret }
}

/** What each right is called, and what it lets an agent do. */
export const RIGHT_TEXTS: Readonly<Record<AgentRight, { readonly label: string; readonly hint: string }>> = {
  read: { label: say("Read"), hint: say("See the cards on the board.") },
  propose: { label: say("Propose"), hint: say("Suggest new cards and changes, which you approve or reject.") },
  write: { label: say("Change"), hint: say("Add, change, claim and complete cards without asking.") },
  ask: { label: say("Ask you"), hint: say("Put questions into your inbox and read your answers.") },
  search: { label: say("Search"), hint: say("Search conversations, cards, memories and documents.") }
}
