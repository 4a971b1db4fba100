import type { JsonObject } from "../src/wire/frames.ts"
import { GatewayRefusal } from "../src/wire/GatewayRefusal.ts"

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const without = (value: unknown, ...names: ReadonlyArray<string>): JsonObject =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name))) : {}

/** The object with some of its fields changed, as far as it has them. */
const changing = (value: unknown, changes: Readonly<Record<string, (field: unknown) => unknown>>): JsonObject =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, field]) => [name, changes[name]?.(field) ?? field]))
    : {}

const each = (change: (item: unknown) => unknown) => (list: unknown) => (Array.isArray(list) ? list.map(change) : list)

const health = (payload: unknown) => without(payload, "plugins", "configReload")

const job = (payload: unknown) =>
  changing(without(payload, "scheduledToolPolicy", "configRevision", "nextRunAtMs"), {
    payload: (asked) => (isObject(asked) && String(asked.toolsAllow) === "*" ? without(asked, "toolsAllow") : asked)
  })

const finished = (payload: unknown) =>
  changing(without(payload, "job", "completionStatus", "runId"), { deliveryStatus: () => "not-delivered" })

const agentFile = (payload: unknown) => without(payload, "expectedAbsent", "hash")

const entry = (payload: unknown) => without(payload, "createdVia", "createdAt", "lifecycleRevision", "compactionCount")

/** A message that was too large, of which it doesn't say which one it was. */
const historyMessage = (message: unknown): unknown =>
  isObject(message) && isObject(message.__openclaw) && message.__openclaw.reason === "oversized"
    ? changing(without(message, "toolCallId", "toolName", "isError"), {
        __openclaw: (marker) => without(marker, "id", "seq", "idempotencyKey")
      })
    : message

const LEVELS = ["thinkingLevels", "thinkingOptions", "thinkingDefault"]

const ANSWERS: Readonly<Record<string, (payload: unknown) => unknown>> = {
  health,
  "agents.list": (payload) =>
    changing(payload, { agents: each((agent) => without(agent, "identity", "workspace", "model")) }),
  "agents.files.list": (payload) => changing(payload, { files: each(agentFile) }),
  "agents.files.get": (payload) => changing(payload, { file: agentFile }),
  "agents.files.set": (payload) => changing(payload, { file: agentFile }),
  "models.list": (payload) =>
    changing(without(payload, "accountSelection"), {
      models: each((model) => without(model, "tags", "available", ...LEVELS))
    }),
  "skills.status": (payload) =>
    changing(without(payload, "agentId"), {
      skills: each((skill) =>
        without(
          skill,
          "blockedByAgentFilter",
          "platformIncompatible",
          "modelVisible",
          "userInvocable",
          "commandVisible"
        )
      )
    }),
  "sessions.list": (payload) =>
    changing(without(payload, "totalCount", "limitApplied", "nextOffset", "hasMore", "owners"), {
      path: () => "(multiple)",
      defaults: (defaults) => without(defaults, ...LEVELS)
    }),
  "sessions.patch": (payload) =>
    changing(payload, {
      entry,
      resolved: (resolved) => without(resolved, "runtimeSelectionLocked", "thinkingLevel", "thinkingLevels")
    }),
  "sessions.create": (payload) => changing(without(payload, "resolved"), { entry }),
  "sessions.reset": (payload) => changing(without(payload, "resolved"), { entry }),
  "chat.history": (payload) =>
    changing(
      without(
        payload,
        "activity",
        "pendingInputs",
        "deltaCursor",
        "nextOffset",
        "hasMore",
        "totalMessages",
        "defaults",
        "sessionInfo",
        "inFlightRun"
      ),
      { messages: each(historyMessage) }
    ),
  agent: (payload) => without(payload, "sessionKey", "agentId"),
  "agent.wait": (payload) => without(payload, "stopReason", "terminalReply"),
  "cron.list": (payload) => changing(payload, { jobs: each(job) }),
  "cron.add": job,
  "cron.update": job,
  "cron.runs": (payload) => changing(payload, { entries: each(finished) }),
  "usage.cost": (payload) => changing(without(payload, "cacheStatus"), { days: (days) => Number(days) + 1 }),
  "sessions.usage": (payload) =>
    changing(without(payload, "cacheStatus"), { aggregates: (sums) => without(sums, "sessionCount") })
}

export const olderAnswer = (method: string, payload: unknown): unknown => ANSWERS[method]?.(payload) ?? payload

/** What it repeats of a row when a run begins or ends. */
const RUN_FACTS = [
  "abortedLastRun",
  "contextTokens",
  "endedAt",
  "estimatedCostUsd",
  "model",
  "modelProvider",
  "runtimeMs",
  "startedAt",
  "totalTokens",
  "totalTokensFresh",
  "updatedAt"
]

/** A changed session, with what goes with its phase, or instead of the row its fields. */
const changedSession = (payload: JsonObject): JsonObject => {
  const { agentId: _, ancestorSessions: __, session, ...rest } = payload
  if (!isObject(session)) return rest
  const facts = Object.keys(session)
  const about = Object.entries(rest).filter(([name]) => !facts.includes(name) || name === "status")
  if (rest.phase === "message") return { ...rest, session }
  if (rest.phase === undefined) return { ...Object.fromEntries(about), ...without(session, "key") }
  const kept = Object.entries(rest).filter(([name]) => RUN_FACTS.includes(name))
  return { ...Object.fromEntries([...about, ...kept]), session }
}

const approval = (payload: JsonObject): JsonObject =>
  changing(without(payload, "approvalKind"), {
    request: (request) => ({
      ...without(
        request,
        "warningText",
        "scope",
        "commandAnalysis",
        "sessionId",
        "cronExecutionSource",
        "cronOperationBinding",
        "runId",
        "toolCallId"
      ),
      turnSourceTo: null
    })
  })

const EVENTS: Readonly<Record<string, (payload: JsonObject) => JsonObject | undefined>> = {
  "connect.challenge": (payload) => without(payload, "capabilities"),
  "config.changed": () => undefined,
  health,
  "sessions.changed": changedSession,
  "session.message": (payload) => without(payload, "agentId", "senderIsOwner", "runId"),
  cron: finished,
  "exec.approval.requested": approval,
  "exec.approval.resolved": approval
}

export const olderEvent = (event: string, payload: JsonObject): JsonObject | undefined => {
  const change = EVENTS[event]
  return change === undefined ? payload : change(payload)
}

export const olderHello = (hello: JsonObject, healthNow: () => JsonObject): JsonObject => {
  const { auth, ...rest } = hello
  const scopes = isObject(auth) && Array.isArray(auth.scopes) ? auth.scopes.toSorted() : []
  const ownAuth = { ...without(auth, "method", "recoveryScope", "recoveryMigrationAllowed"), scopes }
  return {
    ...changing(rest, {
      server: (server) => without(server, "buildId", "bootId", "controlUiBuildSource"),
      features: (features) =>
        changing(without(features, "capabilities"), {
          events: (events) =>
            Array.isArray(events) ? events.filter((name) => !String(name).startsWith("question.")) : events
        }),
      snapshot: (snapshot) =>
        changing(without(snapshot, "suspension", "appliedConfigHash"), {
          health: () => health(healthNow()),
          sessionDefaults: (defaults) => without(defaults, "modelConfigured", "ownership", "selectionRequired")
        }),
      policy: (policy) =>
        without(policy, "attachments", "allowedSessionVisibilities", "hasMultipleSessionSharingIdentities")
    }),
    ...("deviceToken" in ownAuth ? { auth: ownAuth } : {})
  }
}

/** The words of refusals that it puts otherwise; the code stays unless it is `UNAVAILABLE`. */
const WORDS: ReadonlyArray<readonly [said: RegExp, own: string, code?: "UNAVAILABLE"]> = [
  [/^pairing required: device is not approved yet$/, "pairing required"],
  [/^agent ".*" not found$/, "unknown agent id"],
  [
    /^thinkingLevel "(.*)" is not supported for .*$/,
    'thinkingLevel "$1" is only supported for provider models that advertise $1 reasoning'
  ],
  [/^Automation not found: (.*)\. List automations .*$/, "Error: unknown cron job id: $1", "UNAVAILABLE"],
  [
    /^(?:invalid cron\.\w+ params|Error): main cron jobs require .*$/,
    'Error: main cron jobs require payload.kind="systemEvent"',
    "UNAVAILABLE"
  ],
  [
    /^(?:invalid cron\.\w+ params|Error): isolated cron jobs require .*$/,
    'Error: isolated/current/session cron jobs require payload.kind="agentTurn"',
    "UNAVAILABLE"
  ],
  [
    /(at \S+: )?must be equal to one of the allowed values/g,
    "$1must be equal to constant; $1must match a schema in anyOf"
  ]
]

const detailsOf = (details: JsonObject): JsonObject | undefined => {
  switch (details.code ?? details.reason) {
    case "PROTOCOL_MISMATCH":
      return { expectedProtocol: details.expectedProtocol }
    case "PAIRING_REQUIRED":
      return { code: details.code, reason: details.reason, requestId: details.requestId }
    case "MISSING_SCOPE":
    case "APPROVAL_NOT_FOUND":
    case "CRON_JOB_NOT_FOUND":
      return undefined
    default:
      return details
  }
}

export const olderRefusal = (refusal: GatewayRefusal): GatewayRefusal => {
  const { code, details, message, payload, retryAfterMs, retryable } = refusal
  const words = WORDS.find(([said]) => message.search(said) !== -1)
  const kept = details === undefined ? undefined : detailsOf(details)
  return new GatewayRefusal({
    code: words?.[2] ?? (code === "FORBIDDEN" ? "INVALID_REQUEST" : code),
    message: words === undefined ? message : message.replace(words[0], words[1]),
    ...(kept === undefined ? {} : { details: kept }),
    ...(payload === undefined ? {} : { payload }),
    ...(retryable === undefined ? {} : { retryable }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs })
  })
}
