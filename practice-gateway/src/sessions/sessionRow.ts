import type { JsonObject } from "../wire/frames.ts"
import { levelRows } from "./models.ts"
import { agentIdOf, classify, modelOf, type Session, type SessionStore } from "./SessionStore.ts"
import { previewOf, titlesOf } from "./sessionTexts.ts"

const HUMAN = { type: "human", id: "gateway-owner", identity: { type: "profile", id: "gateway-owner" } }
const AGENT = { type: "agent", id: "main", identity: { type: "agent", id: "main" } }
const RUNTIME = {
  id: "openclaw",
  cloudPlacementSupported: true,
  cloudPlacementExecutionMode: "worker-turn",
  devicePlacement: { requiredNodeCommands: [], consumesWorkerSlot: true },
  devicePlacementSupported: true,
  source: "implicit"
}

/** What a row may carry beside the facts of the session. */
export interface RowOptions {
  readonly lastMessage?: boolean
  readonly derivedTitle?: boolean
}

/** The values that are set. */
export const optional = (values: Readonly<Record<string, unknown>>): JsonObject =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

/** What a session used. */
export const tokens = (session: Session): JsonObject =>
  session.totalTokens === 0
    ? { totalTokens: 0, totalTokensFresh: true }
    : {
        inputTokens: session.inputTokens,
        outputTokens: session.outputTokens,
        totalTokens: session.totalTokens,
        totalTokensFresh: true,
        estimatedCostUsd: session.estimatedCostUsd
      }

/** How the last run went. */
export const lastRun = (session: Session): JsonObject =>
  optional({
    status: session.status,
    startedAt: session.startedAt,
    endedAt: session.endedAt,
    runtimeMs:
      session.startedAt !== undefined && session.endedAt !== undefined ? session.endedAt - session.startedAt : undefined
  })

const parentOf = (session: Session) => session.spawnedBy ?? session.parentSessionKey

/** The keys of the sessions below one. */
export const children = (session: Session, store: SessionStore): JsonObject => {
  const keys = [...store.sessions.values()].filter((other) => parentOf(other) === session.key).map(({ key }) => key)
  return keys.length === 0 ? {} : { childSessions: keys }
}

const actorOf = (session: Session) => (session.spawnedBy === undefined ? HUMAN : AGENT)

const createdVia = (session: Session) => {
  const kind = classify(session.key)
  return kind === "subagent" ? "spawn" : kind === "cron" ? "cron" : "operator"
}

const lineage = (session: Session): JsonObject =>
  session.spawnedBy === undefined
    ? optional({ spawnDepth: session.parentSessionKey === undefined ? undefined : 0 })
    : {
        spawnedBy: session.spawnedBy,
        controlOwnerSessionKey: session.spawnedBy,
        spawnDepth: 1,
        subagentRole: "orchestrator",
        subagentControlScope: "children"
      }

/** A session as `sessions.list` and the session events show it. */
export const sessionRow = (
  session: Session,
  store: SessionStore,
  now: number,
  options: RowOptions = {}
): JsonObject => {
  const model = modelOf(session)
  const kind = classify(session.key)
  return {
    key: session.key,
    visibility: "shared",
    ...lineage(session),
    permissionModePending: false,
    createdVia: createdVia(session),
    createdActor: actorOf(session),
    owner: { actor: actorOf(session) },
    createdAt: session.createdAt,
    kind: "direct",
    ...optional({ label: session.label, previousSessionId: session.previousSessionId }),
    classification: kind === "dashboard" && session.messages.length > 0 ? "direct" : kind,
    agentId: agentIdOf(session.key),
    isMain: kind === "main",
    isBackground: kind === "subagent" || kind === "cron",
    chatType: "direct",
    ...titlesOf(session, options.derivedTitle === true),
    ...(options.lastMessage === true ? previewOf(session) : {}),
    updatedAt: session.updatedAt,
    archived: session.archived,
    pinned: session.pinned,
    unread: session.unread,
    ...optional({
      category: session.category,
      lastInteractionAt: session.activeAt === 0 ? undefined : session.activeAt
    }),
    sessionId: session.sessionId,
    ...(session.abortedLastRun === undefined
      ? {}
      : { systemSent: session.systemSent, abortedLastRun: session.abortedLastRun }),
    ...optional({ thinkingLevel: session.thinkingLevel, lastRunError: session.lastRunError }),
    ...session.extras,
    thinkingLevels: levelRows(model),
    thinkingOptions: model.thinkingLevels,
    thinkingDefault: model.thinkingDefault,
    effectiveFastMode: false,
    effectiveFastModeSource: "default",
    fastAutoOnSeconds: 60,
    ...tokens(session),
    ...lastRun(session),
    ...(session.spawnedBy === undefined
      ? {}
      : { subagentRunState: "historical", hasActiveSubagentRun: session.activeRuns.size > 0 }),
    ...optional({ parentSessionKey: parentOf(session) }),
    ...optional({ lastRunId: session.lastRunId }),
    ...children(session, store),
    effectiveResponseUsage: "off",
    effectiveQueueMode: "steer",
    modelProvider: model.provider,
    model: model.id,
    modelOverrideSource: session.override === undefined ? null : "user",
    runtimeSelectionLocked: false,
    agentRuntime: RUNTIME,
    contextTokens: model.contextWindow,
    snapshotAt: now,
    activitySummary: { state: "unavailable", canEnsure: true },
    hasActiveRun: session.activeRuns.size > 0,
    activeRunIds: [...session.activeRuns],
    hiddenFromInvolvingMe: false,
    sharingRole: "admin"
  }
}

const NULLED = [
  "archivedAt",
  "archivedBy",
  "archiveReason",
  "pinnedAt",
  "markedUnreadAt",
  "agentStatus",
  "observerDigest",
  "controlOwnerSessionKey",
  "swarm",
  "permissionMode",
  "label",
  "autoLabel",
  "icon",
  "color",
  "channelAvatarUrl",
  "category",
  "boardPresentation",
  "displayName",
  "thinkingLevel",
  "toolOverrides",
  "restartRecoveryStatus",
  "goal",
  "contextBudgetStatus",
  "activeModelProvider",
  "activeModel",
  "lastRunError",
  "providerReview",
  "lastRunId",
  "endedAt",
  "runtimeMs"
] as const

const NULLS: JsonObject = Object.fromEntries(NULLED.map((key) => [key, null]))

const ROW_ONLY: ReadonlyArray<string> = [
  "key",
  "classification",
  "isMain",
  "isBackground",
  "lastInteractionAt",
  "effectiveQueueMode",
  "hiddenFromInvolvingMe",
  "thinkingLevels",
  "thinkingOptions",
  "thinkingDefault",
  "snapshotAt"
]

/** Facts a `session.message` event repeats beside the row: every known field, `null` where nothing is set. */
export const sessionFacts = (row: JsonObject): JsonObject => {
  const kept: JsonObject = Object.fromEntries(Object.entries(row).filter(([key]) => !ROW_ONLY.includes(key)))
  return {
    participants: [],
    participantCount: 0,
    ...NULLS,
    ...kept,
    ...(kept.status === "running"
      ? {
          activeModelProvider: kept.modelProvider ?? null,
          activeModel: kept.model ?? null,
          endedAt: null,
          runtimeMs: null
        }
      : {}),
    hasAutomation: false
  }
}

/** The stored entry that `sessions.patch`, `sessions.create` and `sessions.reset` answer. */
export const sessionEntry = (session: Session): JsonObject => ({
  sessionId: session.sessionId,
  updatedAt: session.updatedAt,
  createdVia: createdVia(session),
  createdAt: session.createdAt,
  lifecycleRevision: session.sessionId,
  ...(session.abortedLastRun === undefined
    ? {}
    : {
        systemSent: session.systemSent,
        abortedLastRun: session.abortedLastRun,
        compactionCount: 0,
        ...tokens(session)
      }),
  ...lastRun(session),
  ...optional({
    label: session.label,
    spawnedBy: session.spawnedBy,
    providerOverride: session.override?.provider,
    modelOverride: session.override?.id,
    thinkingLevel: session.thinkingLevel
  }),
  ...session.extras
})
