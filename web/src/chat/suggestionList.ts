import type { SessionRow } from "../core/sessions/sessionTypes.ts"

/** A message to start a conversation with. */
export interface Suggestion {
  readonly title: string
  readonly text: string
}

const DEMO: ReadonlyArray<Suggestion> = [
  { title: "Formatting", text: "Show me a table and some code" },
  { title: "Tools", text: "Use a tool to look something up" },
  { title: "Reasoning", text: "Think about it first, then answer" },
  { title: "Charts", text: "Draw me a chart" },
  { title: "Board", text: "Propose a task for the board" },
  { title: "Helpers", text: "Spawn a helper agent" }
]

const REAL: ReadonlyArray<Suggestion> = [
  { title: "Get started", text: "What can you do for me? List your tools and skills." },
  { title: "Look around", text: "What's in your workspace? Summarise it in a few lines." },
  { title: "Plan the day", text: "Help me plan today. Ask me three questions first." },
  { title: "Remember", text: "What do you remember about me and my work?" }
]

/** What to try first; the built-in demo agent, recognised by its models, has its own list. */
export const suggestionsFor = (rows: ReadonlyArray<Pick<SessionRow, "modelProvider">>): ReadonlyArray<Suggestion> =>
  rows.some((row) => row.modelProvider === "demo") ? DEMO : REAL
