import type { Gateway } from "../Gateway.ts"
import { type AssistantMessage, NO_USAGE, type Usage } from "../sessions/messages.ts"
import { MAIN_KEY, modelOf, type Session } from "../sessions/SessionStore.ts"
import { WELCOME_TEXT } from "./demoTexts.ts"
import { lastReportAt, REPORT, REPORT_JOB_ID, seedJobs } from "./seedJobs.ts"
import { seedUsage } from "./seedUsage.ts"

const MINUTE_MS = 60_000
const RUN_ID = "0b9a4f52-7c1d-4a55-8c43-2f6c1a7d9e20"
const SUBAGENT_KEY = "agent:main:subagent:7d3f4a10-92be-4c57-a2d6-18e0c5b9f733"

const USAGE: Usage = {
  input: 1_480,
  output: 96,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 1_576,
  cost: { input: 0.00148, output: 0.000384, cacheRead: 0, cacheWrite: 0, total: 0.001864 }
}

const answer = (gateway: Gateway, session: Session, text: string, at: number, usage: Usage) => {
  const model = modelOf(session)
  const message: AssistantMessage = {
    ...gateway.store.stamp(session),
    role: "assistant",
    parts: [{ type: "text", text }],
    provider: model.provider,
    model: model.id,
    usage,
    stopReason: "stop",
    timestamp: at,
    runId: `seed-${session.key}`
  }
  gateway.store.append(session, message)
}

const exchange = (
  gateway: Gateway,
  key: string,
  at: number,
  turn: { readonly asked: string; readonly said: string; readonly source: "cron" | "subagent" }
) => {
  const session = gateway.store.open(key)
  session.updatedAt = 0
  gateway.store.append(session, {
    ...gateway.store.stamp(session),
    role: "user",
    text: turn.asked,
    images: [],
    timestamp: at,
    runId: `seed-${key}`,
    source: turn.source
  })
  answer(gateway, session, turn.said, at + 4_000, USAGE)
  session.status = "done"
  session.startedAt = at
  session.endedAt = at + 4_000
  session.systemSent = true
  session.inputTokens = USAGE.input
  session.outputTokens = USAGE.output
  session.totalTokens = USAGE.totalTokens
  session.estimatedCostUsd = USAGE.cost.total
  return session
}

/**
 * Fills a new gateway with a welcome message, a finished helper, scheduled jobs with their runs, and three months of usage.
 */
export const seedGateway = (gateway: Gateway): void => {
  const now = gateway.now()
  const main = gateway.store.open(MAIN_KEY)
  answer(gateway, main, WELCOME_TEXT, now, NO_USAGE)
  main.status = "done"
  const helper = exchange(gateway, SUBAGENT_KEY, now - 14 * MINUTE_MS, {
    asked: "Find out what makes a good first page for a new tool.",
    said: "A good first page says what the tool is for, offers one obvious thing to do, and gets out of the way. I found three examples worth a look; the shortest one is the best.",
    source: "subagent"
  })
  helper.spawnedBy = main.key
  helper.label = "Research: first pages"
  const report = exchange(gateway, `agent:main:cron:${REPORT_JOB_ID}:run:${RUN_ID}`, lastReportAt(now - MINUTE_MS), {
    asked: "Give me a short morning report.",
    said: REPORT,
    source: "cron"
  })
  report.sessionId = RUN_ID
  report.label = "Cron: Morning report"
  seedJobs(gateway, report)
  seedUsage(gateway)
}
