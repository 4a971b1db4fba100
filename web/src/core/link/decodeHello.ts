import {
  type Fields,
  fieldsOf,
  filledText,
  listOf,
  numberOf,
  recordOf,
  textOf
} from "../../../../src/contract/looseFields.ts"
import type { GatewayHello } from "./linkTypes.ts"

/** What the gateway says of itself in its answer to `connect`; `now` is when that arrived. */
export function decodeHello(payload: Fields, now: number): GatewayHello {
  const policy = fieldsOf(payload.policy)
  const uptime = numberOf(fieldsOf(payload.snapshot).uptimeMs)
  const scopes = listOf(fieldsOf(payload.auth).scopes).filter((scope) => typeof scope === "string")
  return {
    protocol: numberOf(payload.protocol) ?? 3,
    serverVersion: textOf(fieldsOf(payload.server).version) ?? "",
    methods: new Set(listOf(fieldsOf(payload.features).methods).filter((name) => typeof name === "string")),
    scopes: recordOf(payload.auth) === null ? null : scopes,
    mainSessionKey:
      filledText(fieldsOf(fieldsOf(payload.snapshot).sessionDefaults).mainSessionKey) ?? "agent:main:main",
    startedAt: uptime === null ? null : now - uptime,
    tickIntervalMs: Math.max(1_000, numberOf(policy.tickIntervalMs) ?? 30_000),
    maxPayload: numberOf(policy.maxPayload) ?? 26_214_400
  }
}
