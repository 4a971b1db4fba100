import { DateTime, Effect } from "effect"
import type { Gateway } from "../Gateway.ts"
import { type AssistantMessage, type Message, NO_USAGE, type Usage } from "../sessions/messages.ts"
import { agentIdOf, MAIN_KEY, type Session } from "../sessions/SessionStore.ts"
import { invalidRequest } from "../wire/GatewayRefusal.ts"

const DAY_MS = 86_400_000
const WINDOW_DAYS = 30

const dateOf = (ms: number) => DateTime.formatIsoDateUtc(DateTime.makeUnsafe(ms))

interface Totals {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly totalTokens: number
  readonly totalCost: number
  readonly inputCost: number
  readonly outputCost: number
  readonly cacheReadCost: number
  readonly cacheWriteCost: number
  readonly missingCostEntries: number
}

/** Adds up usages in the shape the gateway reports totals. */
export const sumUsage = (usages: ReadonlyArray<Usage>): Totals => {
  const add = (pick: (usage: Usage) => number) => usages.reduce((sum, usage) => sum + pick(usage), 0)
  return {
    input: add((usage) => usage.input),
    output: add((usage) => usage.output),
    cacheRead: add((usage) => usage.cacheRead),
    cacheWrite: add((usage) => usage.cacheWrite),
    totalTokens: add((usage) => usage.totalTokens),
    totalCost: add((usage) => usage.cost.total),
    inputCost: add((usage) => usage.cost.input),
    outputCost: add((usage) => usage.cost.output),
    cacheReadCost: 0,
    cacheWriteCost: 0,
    missingCostEntries: 0
  }
}

const isAnswer = (message: Message): message is AssistantMessage =>
  message.role === "assistant" && message.provider !== "openclaw"

/** The gateway's own notes may count as answers without tokens. */
const isCounted = ({ generation }: Gateway) =>
  generation.countsPerAgent ? (message: Message): message is AssistantMessage => message.role === "assistant" : isAnswer

const usagesOf = (messages: ReadonlyArray<Message>) =>
  messages.flatMap((message) => (isAnswer(message) ? [message.usage] : []))

const grouped = <A>(
  items: ReadonlyArray<A>,
  keyOf: (item: A) => string
): ReadonlyArray<readonly [string, ReadonlyArray<A>]> =>
  [...Map.groupBy(items, keyOf)].toSorted(([a], [b]) => (a < b ? -1 : 1))

/** Newest first, deleted ones last. */
const allSessions = ({ store, archive }: Gateway) => [...store.newest(), ...archive.newest()]

const allMessages = (gateway: Gateway) => allSessions(gateway).flatMap((session) => session.messages)

const fresh = (gateway: Gateway) => ({
  cacheStatus: { status: "fresh", cachedFiles: gateway.store.sessions.size, pendingFiles: 0, staleFiles: 0 }
})

/** The payload of `usage.cost`: totals and one row a day. */
export const usageCost = (gateway: Gateway) => {
  const messages = allMessages(gateway)
  return {
    updatedAt: gateway.now(),
    days: WINDOW_DAYS,
    daily: grouped(messages, (message) => dateOf(message.timestamp)).map(([date, of]) => ({
      date,
      ...sumUsage(usagesOf(of))
    })),
    totals: sumUsage(usagesOf(messages)),
    ...fresh(gateway)
  }
}

const counts = (messages: ReadonlyArray<Message>) => {
  const of = (role: Message["role"]) => messages.filter((message) => message.role === role).length
  const calls = messages.flatMap((message) =>
    isAnswer(message) ? message.parts.filter((part) => part.type === "toolCall") : []
  )
  return {
    total: of("user") + of("assistant"),
    user: of("user"),
    assistant: of("assistant"),
    toolCalls: calls.length,
    toolResults: of("toolResult"),
    errors: messages.filter((message) => isAnswer(message) && message.stopReason === "error").length
  }
}

const byModel = (gateway: Gateway, messages: ReadonlyArray<Message>, keyOf: (message: AssistantMessage) => string) =>
  grouped(messages.filter(isCounted(gateway)), keyOf).map(([, of]) => ({
    provider: of[0]?.provider ?? "",
    model: of[0]?.model ?? "",
    count: of.length,
    totals: sumUsage(usagesOf(of))
  }))

const sessionUsage = (gateway: Gateway, session: Session, messages: ReadonlyArray<Message>) => ({
  key: session.key,
  ...(session.label === undefined ? {} : { label: session.label }),
  sessionId: session.sessionId,
  updatedAt: session.updatedAt,
  agentId: agentIdOf(session.key),
  usage: {
    sessionId: session.sessionId,
    firstActivity: session.messages[0]?.timestamp ?? session.createdAt,
    lastActivity: session.updatedAt,
    ...sumUsage([NO_USAGE, ...usagesOf(messages)]),
    messageCounts: counts(messages),
    modelUsage: byModel(gateway, messages, (message) => `${message.provider}/${message.model}`)
  }
})

/** What `sessions.usage` may be asked for. */
export interface UsageParams {
  readonly startDate?: string
  readonly endDate?: string
  readonly limit?: number
  readonly key?: string
  readonly agentId?: string
  readonly agentScope?: "all"
}

/** The payload of `sessions.usage`. */
export const usageSummary = (gateway: Gateway, params: UsageParams) => {
  const { key, agentId, agentScope } = params
  if (agentScope === "all" && (key !== undefined || agentId !== undefined)) {
    return Effect.fail(invalidRequest("agentScope=all cannot be combined with key or agentId"))
  }
  const isEveryAgent = !gateway.generation.countsPerAgent || agentScope === "all"
  const agent = agentId ?? agentIdOf(key ?? MAIN_KEY)
  const isMeant = (session: Session) =>
    (isEveryAgent || agentIdOf(session.key) === agent) && (key === undefined || session.key === key)
  return Effect.sync(() => summaryOf(gateway, params, isMeant))
}

const summaryOf = (gateway: Gateway, params: UsageParams, isMeant: (session: Session) => boolean) => {
  const now = gateway.now()
  const startDate = params.startDate ?? dateOf(now - (WINDOW_DAYS - 1) * DAY_MS)
  const endDate = params.endDate ?? dateOf(now)
  const inWindow = (message: Message) => {
    const date = dateOf(message.timestamp)
    return date >= startDate && date <= endDate
  }
  const sessions = allSessions(gateway).filter(isMeant)
  const messages = sessions.flatMap((session) => session.messages).filter(inWindow)
  const models = byModel(gateway, messages, (message) => `${message.provider}/${message.model}`)
  return {
    updatedAt: now,
    startDate,
    endDate,
    sessions: sessions
      .slice(0, params.limit ?? 50)
      .map((session) => sessionUsage(gateway, session, session.messages.filter(inWindow))),
    totals: sumUsage(usagesOf(messages)),
    aggregates: {
      sessionCount: sessions.length,
      messages: counts(messages),
      tools: { totalCalls: counts(messages).toolCalls, uniqueTools: 0, tools: [] },
      byModel: models,
      byProvider: byModel(gateway, messages, (message) => message.provider).map(({ model: _, ...row }) => row),
      byAgent: [],
      byChannel: [],
      daily: grouped(messages, (message) => dateOf(message.timestamp)).map(([date, of]) => ({
        date,
        tokens: sumUsage(usagesOf(of)).totalTokens,
        cost: sumUsage(usagesOf(of)).totalCost,
        messages: counts(of).total,
        toolCalls: counts(of).toolCalls,
        errors: counts(of).errors
      }))
    },
    ...fresh(gateway)
  }
}
