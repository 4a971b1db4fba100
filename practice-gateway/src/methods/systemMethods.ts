import { Effect, Schema } from "effect"
import { modelCatalogue, skillCatalogue, toolCatalogue } from "../demo/catalogues.ts"
import type { Gateway } from "../Gateway.ts"
import { type GatewayMethod, method, NoParams } from "./method.ts"
import { type UsageParams, usageCost, usageSummary } from "./usage.ts"

const text = Schema.optionalKey(Schema.String)
const usageFields = { startDate: text, endDate: text, limit: Schema.optionalKey(Schema.Int), key: text }

/** The payload of `health` and of the `health` event. */
export const healthPayload = (gateway: Gateway) => {
  const path = gateway.generation.storePath
  const recent = gateway.store
    .newest()
    .slice(0, 5)
    .map((session) => ({ key: session.key, updatedAt: session.updatedAt, age: gateway.now() - session.updatedAt }))
  const sessions = { path, count: gateway.store.sessions.size, recent }
  const heartbeat = { enabled: false, every: "disabled", everyMs: null, prompt: "", target: "none", ackMaxChars: 300 }
  return {
    ok: true,
    ts: gateway.now(),
    durationMs: 0,
    plugins: { loaded: [], errors: [], unavailable: [] },
    configReload: { hotReloadStatus: "active" },
    channels: {},
    channelOrder: [],
    channelLabels: {},
    heartbeatSeconds: 0,
    defaultAgentId: "main",
    agents: gateway.agents.map(({ id }) => ({ agentId: id, isDefault: id === "main", heartbeat, sessions })),
    sessions
  }
}

/** The connected clients, the gateway itself first. */
export const presenceList = (gateway: Gateway) => [
  {
    host: "demo-gateway",
    version: gateway.generation.version,
    platform: "demo",
    mode: "gateway",
    reason: "self",
    text: "Gateway: demo-gateway · mode gateway · reason self",
    ts: gateway.now()
  },
  ...[...gateway.hub.connections].flatMap(({ session }) =>
    session === undefined
      ? []
      : [
          {
            host: session.request.client.id,
            version: session.request.client.version,
            platform: session.request.client.platform,
            mode: session.request.client.mode,
            ...(session.request.device === undefined ? {} : { deviceId: session.request.device.id }),
            roles: [session.admission.role],
            scopes: session.admission.scopes,
            reason: "connect",
            ts: session.since,
            text: `Node: ${session.request.client.id} · mode ${session.request.client.mode}`
          }
        ]
  )
]

/** `health`, `status`, catalogues, presence and usage. */
export const systemMethods: ReadonlyArray<GatewayMethod> = [
  method("health", "operator.read", Schema.Struct({ probe: Schema.optionalKey(Schema.Boolean) }), (_, { gateway }) =>
    Effect.sync(() => healthPayload(gateway))
  ),
  method("status", "operator.read", NoParams, (_, { gateway }) =>
    Effect.sync(() => ({
      runtimeVersion: gateway.generation.version,
      heartbeat: { defaultAgentId: "main", agents: [] },
      channelSummary: [],
      queuedSystemEvents: [],
      sessions: healthPayload(gateway).sessions
    }))
  ),
  method(
    "models.list",
    "operator.read",
    Schema.Struct({
      view: Schema.optionalKey(Schema.Literals(["default", "configured", "all"])),
      refresh: Schema.optionalKey(Schema.Boolean)
    }),
    () => Effect.sync(modelCatalogue)
  ),
  method("skills.status", "operator.read", Schema.Struct({ agentId: text }), () => Effect.sync(skillCatalogue)),
  method(
    "tools.catalog",
    "operator.read",
    Schema.Struct({ agentId: text, includePlugins: Schema.optionalKey(Schema.Boolean) }),
    () => Effect.sync(toolCatalogue)
  ),
  method("system-presence", "operator.read", NoParams, (_, { gateway }) => Effect.sync(() => presenceList(gateway))),
  method(
    "usage.cost",
    "operator.read",
    Schema.Struct({ startDate: text, endDate: text, days: Schema.optionalKey(Schema.Int) }),
    (_, { gateway }) => Effect.sync(() => usageCost(gateway))
  ),
  method(
    "sessions.usage",
    "operator.read",
    Schema.Struct({ ...usageFields, agentId: text, agentScope: Schema.optionalKey(Schema.Literals(["all"])) }),
    (params: UsageParams, { gateway }) => usageSummary(gateway, params)
  )
]
