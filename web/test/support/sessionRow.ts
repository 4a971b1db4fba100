import type { SessionFacts } from "../../src/core/sessions/sessionRows.ts"
import type { SessionRow } from "../../src/core/sessions/sessionTypes.ts"

/** A session nobody has marked. */
export const NO_MARK: SessionFacts["mark"] = { pinned: false, archivedAt: null, group: null, changing: {} }

/** A session row of which a test names what matters. */
export const sessionRow = (change: Partial<SessionRow>): SessionRow => ({
  key: "agent:main:main",
  sessionId: null,
  agentId: "main",
  kind: "chat",
  title: "Main",
  label: null,
  preview: null,
  parentKey: null,
  state: "idle",
  running: false,
  failed: false,
  denied: false,
  unread: false,
  pinned: false,
  archived: false,
  group: null,
  updatedAt: 0,
  startedAt: null,
  endedAt: null,
  model: null,
  modelProvider: null,
  thinkingLevel: null,
  thinkingLevels: [],
  totalTokens: null,
  contextTokens: null,
  cost: null,
  ...change
})
