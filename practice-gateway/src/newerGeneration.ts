import { newerTurnEvents } from "./chat/newTurnEvents.ts"
import type { SpokenGeneration } from "./makeGateway.ts"
import { messageText } from "./sessions/messages.ts"
import { messageView } from "./sessions/messageView.ts"
import { sessionFacts, sessionRow } from "./sessions/sessionRow.ts"

const NOTE_CHANGED = "Session transcript keyed user is outside the current turn"

/** The newer generation, with wire protocol 4. */
export const newerGeneration: SpokenGeneration = {
  name: "new",
  version: "2026.9.6",
  protocol: 4,
  connectTimeoutMs: 15_000,
  historyMaxChars: 8_000,
  assistantIntervalMs: 75,
  deltaIntervalMs: 75,
  approvalTimeoutMs: 30 * 60_000,
  listLimit: 100,
  storePath: "openclaw-agent.sqlite",
  agentFiles: ["AGENTS.md", "SOUL.md", "USER.md", "MEMORY.md"],
  maxPrompt: Number.POSITIVE_INFINITY,
  betweenTexts: "\n\n",
  failures: {
    format: {
      reported: "LLM request failed: provider rejected the request schema or tool payload.",
      stored: "LLM request failed (request format rejected, HTTP 400)."
    },
    rate_limit: {
      reported: "⚠️ API rate limit reached. Please try again later.",
      stored: "API rate limit reached. Please try again later."
    },
    transcript: { reported: NOTE_CHANGED, stored: NOTE_CHANGED }
  },
  lacks: new Set(),
  adminOnly: new Set(),
  params: {},
  pings: true,
  limitsWrites: true,
  announcesPresence: true,
  numbersEveryEvent: true,
  eventSuffix: ',"recipientProfileId":"gateway-owner"',
  checksHost: false,
  trustsLocalPrograms: true,
  wantsSameScopes: false,
  namesRequests: true,
  guardsDevices: true,
  approvalsNeedCap: true,
  followsApprovals: true,
  hasFullHttp: true,
  hasCronTool: false,
  hasLaxJobs: false,
  guardsLists: true,
  checksModels: true,
  linksSessions: true,
  resetsInPlace: true,
  countsPerAgent: true,
  writesLate: false,
  abortsEveryKind: true,
  tellsEnds: true,
  storesEnds: true,
  steers: true,
  keepsAborted: false,
  hidesAnnouncements: true,
  splitsCalls: true,
  writesFailures: true,
  wrapsSpawns: true,
  announcesMessages: false,
  message: (message, _purpose, maxChars) => messageView(message, maxChars),
  storedText: messageText,
  row: sessionRow,
  facts: sessionFacts,
  historyFacts: () => ({}),
  hello: (hello) => hello,
  answer: (_method, payload) => payload,
  event: (_event, payload) => payload,
  refusal: (refusal) => refusal,
  turnEvents: newerTurnEvents
}
