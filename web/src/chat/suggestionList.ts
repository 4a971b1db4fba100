import { say } from "../core/language/say.ts"
import type { SessionRow } from "../core/sessions/sessionTypes.ts"

/** A message to start a conversation with. */
interface Suggestion {
  readonly title: string
  readonly text: string
  /** What is sent instead to an agent that speaks English alone. */
  readonly words?: string
}

const DEMO: ReadonlyArray<Suggestion> = [
  { title: say("Formatting"), text: say("Show me a table and some code"), words: "show me a table and some code" },
  { title: say("Tools"), text: say("Use a tool to look something up"), words: "use a tool to look something up" },
  {
    title: say("Reasoning"),
    text: say("Think about it first, then answer"),
    words: "think about it first, then answer"
  },
  { title: say("Charts"), text: say("Draw me a chart"), words: "draw me a chart" },
  { title: say("Board"), text: say("Propose a task for the board"), words: "propose a task for the board" },
  { title: say("Helpers"), text: say("Spawn a helper agent"), words: "spawn a helper agent" }
]

const REAL: ReadonlyArray<Suggestion> = [
  { title: say("Get started"), text: say("What can you do for me? List your tools and skills.") },
  { title: say("Look around"), text: say("What's in your workspace? Summarise it in a few lines.") },
  { title: say("Plan the day"), text: say("Help me plan today. Ask me three questions first.") },
  { title: say("Remember"), text: say("What do you remember about me and my work?") }
]

/** What to try first; the built-in demo agent, recognised by its models, has its own list. */
export const suggestionsFor = (rows: ReadonlyArray<Pick<SessionRow, "modelProvider">>): ReadonlyArray<Suggestion> =>
  rows.some((row) => row.modelProvider === "demo") ? DEMO : REAL
