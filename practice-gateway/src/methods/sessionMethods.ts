import { Effect, Schema } from "effect"
import type { Gateway } from "../Gateway.ts"
import { messageText } from "../sessions/messages.ts"
import { DEMO_MODELS, fullModelId, levelRows, splitModelId } from "../sessions/models.ts"
import { agentIdOf, canonicalKey, MAIN_KEY, modelOf, type Session, thinkingOf } from "../sessions/SessionStore.ts"
import { sessionEntry } from "../sessions/sessionRow.ts"
import type { GatewayRefusal } from "../wire/GatewayRefusal.ts"
import { invalidRequest } from "../wire/GatewayRefusal.ts"
import { sendMessage } from "./chatMethods.ts"
import { markParams, refusedMarks, takeMarks } from "./markPatch.ts"
import { afterAnswer, type Call, type GatewayMethod, method, NoParams } from "./method.ts"

const text = Schema.optionalKey(Schema.String)
const flag = Schema.optionalKey(Schema.Boolean)
const whole = Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)))
const nullable = Schema.optionalKey(Schema.NullOr(Schema.String))

const ListParams = Schema.Struct({
  limit: whole,
  offset: whole,
  activeMinutes: whole,
  search: text,
  label: text,
  agentId: text,
  spawnedBy: text,
  includeGlobal: flag,
  includeUnknown: flag,
  includeDerivedTitles: flag,
  includeLastMessage: flag,
  archived: flag,
  sortBy: text
})

const matches = (params: typeof ListParams.Type, now: number) => (session: Session) => {
  const haystack = `${session.key} ${session.label ?? ""}`.toLowerCase()
  return (
    (params.activeMinutes === undefined || session.updatedAt >= now - params.activeMinutes * 60_000) &&
    (params.search === undefined || haystack.includes(params.search.toLowerCase())) &&
    (params.label === undefined || session.label === params.label) &&
    (params.agentId === undefined || agentIdOf(session.key) === params.agentId) &&
    (params.spawnedBy === undefined || session.spawnedBy === canonicalKey(params.spawnedBy)) &&
    session.archived === (params.archived ?? false)
  )
}

/** The payload of `sessions.list`; also what the `sessions_list` tool is built from. */
export const listSessions = (gateway: Gateway, params: typeof ListParams.Type) => {
  const now = gateway.now()
  const found = gateway.store.newest().filter(matches(params, now))
  const limit = params.limit ?? gateway.generation.listLimit
  const offset = params.offset ?? 0
  const page = found.slice(offset, offset + limit)
  const model = DEMO_MODELS[0]
  const hasMore = offset + page.length < found.length
  return {
    ts: now,
    path: gateway.generation.storePath,
    count: page.length,
    totalCount: found.length,
    limitApplied: limit,
    nextOffset: hasMore ? offset + page.length : null,
    hasMore,
    owners: [{ type: "human", id: "gateway-owner", identity: { type: "profile", id: "gateway-owner" } }],
    defaults: {
      modelProvider: model.provider,
      model: model.id,
      contextTokens: model.contextWindow,
      thinkingLevels: levelRows(model),
      thinkingOptions: model.thinkingLevels,
      thinkingDefault: model.thinkingDefault
    },
    sessions: page.map((session) =>
      gateway.generation.row(session, gateway.store, now, {
        lastMessage: params.includeLastMessage ?? false,
        derivedTitle: params.includeDerivedTitles ?? false
      })
    )
  }
}

const WRITE_FIELDS = [
  "key",
  "expectedSessionId",
  "model",
  "thinkingLevel",
  "fastMode",
  "label",
  "archived",
  "pinned",
  "unread",
  "category"
]

const PatchParams = Schema.Struct({
  key: Schema.String,
  model: nullable,
  thinkingLevel: nullable,
  label: nullable,
  verboseLevel: nullable,
  reasoningLevel: nullable,
  elevatedLevel: nullable,
  responseUsage: nullable,
  sendPolicy: nullable,
  groupActivation: nullable,
  fastMode: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  spawnedBy: nullable,
  ...markParams
})

/** Any model of a known provider is taken. */
const checkModel = (gateway: Gateway, value: string): GatewayRefusal | undefined => {
  const { provider } = splitModelId(value)
  return !gateway.generation.checksModels || DEMO_MODELS.some((model) => model.provider === provider)
    ? undefined
    : invalidRequest(`Unknown provider "${provider}". Use /models to list providers.`)
}

/** Words that are levels somewhere, which a model that lacks them refuses in other words than a word that is none. */
const KNOWN_LEVELS = ["off", "minimal", "low", "medium", "high", "adaptive", "xhigh", "max"]

const checkLevel = (gateway: Gateway, session: Session, level: string): GatewayRefusal | undefined => {
  const model = modelOf(session)
  const levels = gateway.generation.thinkingLevels ?? model.thinkingLevels
  if (levels.includes(level)) return undefined
  if (!KNOWN_LEVELS.includes(level)) return invalidRequest(`invalid thinkingLevel (use ${levels.join("|")})`)
  return invalidRequest(`thinkingLevel "${level}" is not supported for ${fullModelId(model)} (use ${levels.join("|")})`)
}

const labelTaken = (gateway: Gateway, session: Session, label: string) =>
  [...gateway.store.sessions.values()].some((other) => other !== session && other.label === label)

const setOrClear = (value: string | null | undefined, current: string | undefined) =>
  value === undefined ? current : (value ?? undefined)

const patchSession = (params: typeof PatchParams.Type, { gateway }: Call) =>
  Effect.suspend(() => {
    const known = gateway.store.find(params.key) !== undefined
    const session = gateway.store.open(params.key)
    const refuse = (refusal: GatewayRefusal) => {
      if (!known) gateway.store.sessions.delete(session.key)
      return Effect.fail(refusal)
    }
    const { key: _key, model, thinkingLevel, label, spawnedBy, ...rest } = params
    const { archived, category, expectedSessionId, pinned, unread, ...extras } = rest
    const marks = { archived, category, expectedSessionId, pinned, unread }
    const markFault = refusedMarks(session, known, marks)
    if (markFault !== undefined) return refuse(markFault)
    const modelFault = typeof model === "string" ? checkModel(gateway, model) : undefined
    if (modelFault !== undefined) return refuse(modelFault)
    if (typeof label === "string" && labelTaken(gateway, session, label))
      return refuse(invalidRequest(`label already in use: ${label}`))
    const before = session.override
    if (model !== undefined) session.override = model === null ? undefined : splitModelId(model)
    const levelFault = typeof thinkingLevel === "string" ? checkLevel(gateway, session, thinkingLevel) : undefined
    if (levelFault !== undefined) {
      session.override = before
      return refuse(levelFault)
    }
    session.thinkingLevel = setOrClear(thinkingLevel, session.thinkingLevel)
    session.label = setOrClear(label, session.label)
    session.spawnedBy = setOrClear(spawnedBy, session.spawnedBy)
    takeMarks(session, marks)
    session.extras = Object.fromEntries(
      Object.entries({ ...session.extras, ...extras }).filter(([, value]) => value !== null)
    )
    session.updatedAt = gateway.now()
    afterAnswer(gateway, () => gateway.sessions.reason(session, "patch"))
    return Effect.succeed({
      ok: true,
      path: gateway.generation.storePath,
      key: session.key,
      entry: sessionEntry(session),
      resolved: resolved(session)
    })
  })

const resolved = (session: Session) => {
  const model = modelOf(session)
  const { provider, id } = session.override ?? model
  return {
    modelProvider: provider,
    model: id,
    runtimeSelectionLocked: false,
    thinkingLevel: thinkingOf(session),
    thinkingLevels: levelRows(model)
  }
}

const createSession = Effect.fnUntraced(function* (
  params: {
    readonly key?: string
    readonly agentId?: string
    readonly label?: string
    readonly model?: string
    readonly message?: string
    readonly thinkingLevel?: string
  },
  call: Call
) {
  const { gateway } = call
  const fault = params.model === undefined ? undefined : checkModel(gateway, params.model)
  if (fault !== undefined) return yield* fault
  const key = params.key ?? `agent:${params.agentId ?? "main"}:dashboard:${gateway.newId()}`
  const known = gateway.store.find(key)
  if (
    params.label !== undefined &&
    [...gateway.store.sessions.values()].some((other) => other !== known && other.label === params.label)
  )
    return yield* invalidRequest(`label already in use: ${params.label}`)
  const session = gateway.store.open(key)
  const main = `agent:${agentIdOf(session.key)}:main`
  if (gateway.generation.linksSessions && session.key !== main) session.parentSessionKey = main
  session.label = params.label ?? session.label
  session.thinkingLevel = params.thinkingLevel ?? session.thinkingLevel
  if (params.model !== undefined) session.override = splitModelId(params.model)
  afterAnswer(gateway, () => gateway.sessions.reason(session, "create"))
  const runId = gateway.newId()
  const started = params.message !== undefined && params.message.trim() !== ""
  if (started) yield* sendMessage({ key: session.key, runId, message: params.message ?? "", attachments: [] }, call)
  return {
    ok: true,
    key: session.key,
    sessionId: session.sessionId,
    entry: sessionEntry(session),
    runStarted: started,
    ...(started ? { runId, status: "started" } : {}),
    resolved: resolved(session)
  }
})

const deleteSession = (key: string, { gateway }: Call) =>
  Effect.suspend(() => {
    const canonical = canonicalKey(key)
    if (canonical === MAIN_KEY) return Effect.fail(invalidRequest(`Cannot delete the main session (${MAIN_KEY}).`))
    const session = gateway.store.find(canonical)
    if (session !== undefined) {
      gateway.runs.forget(session)
      gateway.store.sessions.delete(canonical)
      afterAnswer(gateway, () => gateway.sessions.deleted(session))
    }
    return Effect.succeed({ ok: true, key: canonical, deleted: session !== undefined, archived: [] })
  })

const KeyParams = Schema.Struct({ key: Schema.String })

/** `sessions.*` except those that run or stop turns. */
export const sessionMethods: ReadonlyArray<GatewayMethod> = [
  method("sessions.list", "operator.read", ListParams, (params, { gateway }) =>
    Effect.sync(() => listSessions(gateway, params))
  ),
  method("sessions.subscribe", "operator.read", NoParams, (_, { connection }) =>
    Effect.sync(() => {
      connection.subscribed = true
      return { subscribed: true }
    })
  ),
  method("sessions.unsubscribe", "operator.read", NoParams, (_, { connection }) =>
    Effect.sync(() => {
      connection.subscribed = false
      return { subscribed: false }
    })
  ),
  method("sessions.messages.subscribe", "operator.read", KeyParams, ({ key }, { connection }) =>
    Effect.sync(() => {
      connection.messageKeys.add(canonicalKey(key))
      return { subscribed: true, key: canonicalKey(key) }
    })
  ),
  method("sessions.messages.unsubscribe", "operator.read", KeyParams, ({ key }, { connection }) =>
    Effect.sync(() => {
      connection.messageKeys.delete(canonicalKey(key))
      return { subscribed: false, key: canonicalKey(key) }
    })
  ),
  method(
    "sessions.preview",
    "operator.read",
    Schema.Struct({ keys: Schema.Array(Schema.String), limit: whole, maxChars: whole }),
    ({ keys, limit, maxChars }, { gateway }) =>
      Effect.sync(() => ({
        ts: gateway.now(),
        previews: keys.map((key) => previewOf(gateway, key, limit ?? 12, maxChars ?? 240))
      }))
  ),
  method(
    "sessions.get",
    "operator.read",
    Schema.Struct({ key: Schema.String, limit: whole }),
    ({ key, limit }, { gateway }) =>
      Effect.sync(() => ({
        messages: (gateway.store.find(key)?.messages ?? [])
          .slice(-Math.max(1, limit ?? 200))
          .map((message) => gateway.generation.message(message, "stored"))
      }))
  ),
  method(
    "sessions.resolve",
    "operator.read",
    Schema.Struct({ key: text, label: text, sessionId: text }),
    ({ key, label, sessionId }, { gateway }) =>
      Effect.suspend(() => {
        const session =
          key === undefined
            ? gateway.store
                .newest()
                .find((row) => row.sessionId === sessionId || (label !== undefined && row.label === label))
            : gateway.store.find(key)
        return session === undefined
          ? Effect.fail(invalidRequest(`No session found: ${key ?? label ?? sessionId ?? ""}`))
          : Effect.succeed({ ok: true, key: session.key })
      })
  ),
  method(
    "sessions.patch",
    (params) =>
      Object.keys(Object(params)).every((field) => WRITE_FIELDS.includes(field)) ? "operator.write" : "operator.admin",
    PatchParams,
    patchSession
  ),
  method(
    "sessions.create",
    "operator.write",
    Schema.Struct({ key: text, agentId: text, label: text, model: text, message: text, thinkingLevel: text }),
    createSession
  ),
  method(
    "sessions.reset",
    "operator.admin",
    Schema.Struct({ key: Schema.String, reason: text }),
    ({ key }, { gateway }) =>
      Effect.sync(() => {
        const session = gateway.store.open(key)
        gateway.runs.forget(session)
        gateway.store.reset(session, gateway.generation.resetsInPlace)
        afterAnswer(gateway, () => gateway.sessions.reason(session, "reset"))
        return {
          ok: true,
          key: session.key,
          entry: sessionEntry(session),
          resolved: resolved(session)
        }
      })
  ),
  method(
    "sessions.delete",
    "operator.admin",
    Schema.Struct({ key: Schema.String, deleteTranscript: flag }),
    ({ key }, call) => deleteSession(key, call)
  ),
  method(
    "sessions.compact",
    "operator.admin",
    Schema.Struct({ key: Schema.String, maxLines: whole }),
    ({ key, maxLines }, { gateway }) =>
      Effect.sync(() => {
        const session = gateway.store.find(key)
        const kept = maxLines ?? 20
        const compacted = session !== undefined && session.messages.length > kept
        if (session !== undefined && compacted) session.messages = session.messages.slice(-kept)
        return { ok: true, key: canonicalKey(key), compacted, kept: session?.messages.length ?? 0 }
      })
  )
]

const previewOf = (gateway: Gateway, key: string, limit: number, maxChars: number) => {
  const session = gateway.store.find(key)
  if (session === undefined) return { key, status: "missing", items: [] }
  const items = session.messages
    .flatMap((message) => {
      const said = messageText(message) === "" ? "" : gateway.generation.storedText(message)
      const shown = message.role === "user" || message.role === "assistant"
      return shown && said !== ""
        ? [{ role: message.role, text: said.length <= maxChars ? said : `${said.slice(0, maxChars - 3)}...` }]
        : []
    })
    .slice(-limit)
  return { key: session.key, status: items.length === 0 ? "empty" : "ok", items }
}
