import type { SpokenGeneration } from "../src/makeGateway.ts"
import { newerGeneration } from "../src/newerGeneration.ts"
import { thinkingOf } from "../src/sessions/SessionStore.ts"
import { olderMessage, storedText } from "./olderMessages.ts"
import { olderFacts, olderRow } from "./olderRows.ts"
import { olderTurnEvents, RATE_LIMITED } from "./olderTurnEvents.ts"
import { olderAnswer, olderEvent, olderHello, olderRefusal } from "./translations.ts"

const same = (text: string) => ({ reported: text, stored: text })

/** The older generation, with wire protocol 3: the newer one with everything that it does otherwise. */
export const olderGeneration: SpokenGeneration = {
  ...newerGeneration,
  name: "old",
  version: "2026.3.23-2",
  protocol: 3,
  connectTimeoutMs: 10_000,
  historyMaxChars: 12_000,
  assistantIntervalMs: 0,
  deltaIntervalMs: 150,
  approvalTimeoutMs: 120_000,
  listLimit: Number.POSITIVE_INFINITY,
  storePath: "sessions.json",
  agentFiles: ["AGENTS.md", "SOUL.md", "TOOLS.md", "IDENTITY.md", "USER.md", "HEARTBEAT.md", "MEMORY.md"],
  maxPrompt: 500_000,
  betweenTexts: "",
  thinkingLevels: ["off", "minimal", "low", "medium", "high", "adaptive"],
  failures: {
    format: same("HTTP 400: the demo was asked to fail"),
    rate_limit: { reported: "⚠️ API rate limit reached. Please try again later.", stored: RATE_LIMITED },
    transcript: same("The transcript changed.")
  },
  lacks: new Set([
    "agents.workspace.list",
    "agents.workspace.get",
    "exec.approval.list",
    "plugin.approval.list",
    "question.list",
    "question.get",
    "question.resolve",
    "sessions.rewind",
    "sessions.branches.list",
    "sessions.branches.switch",
    "sessions.search",
    "chat.message.get"
  ]),
  adminOnly: new Set(["sessions.patch"]),
  params: {
    "agents.create": { required: ["workspace"] },
    "agents.files.set": { unknown: ["expectedHash"] },
    "chat.history": { unknown: ["cursor"] },
    "config.patch": { unknown: ["replacePaths"] },
    "models.list": { unknown: ["view", "refresh"] },
    "sessions.patch": { unknown: ["archived", "pinned", "unread", "category", "expectedSessionId"] },
    "sessions.usage": { unknown: ["agentId", "agentScope"] }
  },
  pings: false,
  limitsWrites: false,
  announcesPresence: false,
  numbersEveryEvent: false,
  eventSuffix: "",
  checksHost: true,
  trustsLocalPrograms: false,
  wantsSameScopes: true,
  namesRequests: false,
  guardsDevices: false,
  approvalsNeedCap: false,
  followsApprovals: false,
  hasFullHttp: false,
  hasCronTool: true,
  hasLaxJobs: true,
  guardsLists: false,
  checksModels: false,
  linksSessions: false,
  resetsInPlace: false,
  countsPerAgent: false,
  writesLate: true,
  abortsEveryKind: false,
  tellsEnds: false,
  storesEnds: false,
  steers: false,
  keepsAborted: true,
  hidesAnnouncements: false,
  splitsCalls: false,
  writesFailures: false,
  wrapsSpawns: false,
  announcesMessages: true,
  message: olderMessage,
  storedText,
  row: olderRow,
  facts: olderFacts,
  historyFacts: (session) => ({ thinkingLevel: session === undefined ? "off" : thinkingOf(session) }),
  hello: olderHello,
  answer: olderAnswer,
  event: olderEvent,
  refusal: olderRefusal,
  turnEvents: olderTurnEvents
}
