import type { SessionKind, SessionNode, SessionRow, SessionState } from "../core/chatTypes.ts"
import type { IconName } from "../ui/Icon.tsx"

/** A row of the list: a session and how deep it stands under its parents. */
export interface SessionEntry {
  readonly row: SessionRow
  readonly depth: number
}

/** Deeper levels are shown at this depth, so that titles keep room on a phone. */
const MAX_DEPTH = 3

const flatten = (nodes: ReadonlyArray<SessionNode>): ReadonlyArray<SessionEntry> =>
  nodes.flatMap((node) => [{ row: node.row, depth: Math.min(node.depth, MAX_DEPTH) }, ...flatten(node.children)])

/** The forest as rows from top to bottom, only those whose title, key or model contains every word of the query. */
export const sessionEntries = (tree: ReadonlyArray<SessionNode>, query: string): ReadonlyArray<SessionEntry> => {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return flatten(tree)
  return flatten(tree)
    .filter((entry) => {
      const text = `${entry.row.title} ${entry.row.key} ${entry.row.model ?? ""}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
    .map((entry) => ({ row: entry.row, depth: 0 }))
}

const STATE_LABELS: Readonly<Record<SessionState, string>> = {
  working: "Working",
  waiting: "Waiting for you",
  error: "Error",
  unread: "New answer",
  idle: ""
}

/** The state in words; empty when there is nothing to say. */
export const stateLabel = (state: SessionState): string => STATE_LABELS[state]

const KINDS: Readonly<Record<SessionKind, { readonly icon: IconName; readonly label: string }>> = {
  main: { icon: "message-square", label: "Main conversation" },
  chat: { icon: "message-square", label: "Conversation" },
  subagent: { icon: "bot", label: "Sub-agent" },
  cron: { icon: "clock", label: "Scheduled job" },
  task: { icon: "kanban", label: "Board task" }
}

/** How the kind of a session is drawn and named. */
export const kindOf = (kind: SessionKind): { readonly icon: IconName; readonly label: string } => KINDS[kind]
