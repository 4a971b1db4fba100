import type { AgentRight } from "../../../../src/contract/agentRights.ts"
import type { AgentToken, AgentTokenList, NewAgentToken } from "../../../../src/contract/schema/access.ts"
import type { Shown } from "../common/decode.ts"
import { say } from "../language/say.ts"

/** A token as shown on screen. */
export type AgentTokenRow = Shown<AgentToken>

const rowOf = ({ lastUsedAt, ...token }: AgentToken): AgentTokenRow => ({ ...token, lastUsedAt: lastUsedAt ?? null })

/** Reads `GET /api/mcp/tokens`. */
export const readTokens = ({ tokens }: AgentTokenList): ReadonlyArray<AgentTokenRow> => tokens.map(rowOf)

/** A token with the secret that is shown once. */
export interface NewToken {
  readonly row: AgentTokenRow
  readonly secret: string
}

/** Reads `POST /api/mcp/tokens`. */
export const readNewToken = ({ token, ...row }: NewAgentToken): NewToken => ({
  row: rowOf(row),
  secret: token
})

/** What each right is called, and what it lets an agent do. */
export const RIGHT_TEXTS: Readonly<Record<AgentRight, { readonly label: string; readonly hint: string }>> = {
  read: { label: say("Read"), hint: say("See the cards on the board.") },
  propose: { label: say("Propose"), hint: say("Suggest new cards and changes, which you approve or reject.") },
  write: { label: say("Change"), hint: say("Add, change, claim and complete cards without asking.") },
  ask: { label: say("Ask you"), hint: say("Put questions into your inbox and read your answers.") },
  search: { label: say("Search"), hint: say("Search conversations, cards, memories and documents.") }
}
