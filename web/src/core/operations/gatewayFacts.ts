import { fieldsOf, filledText, numberOf, recordOf, recordsOf } from "../decode.ts"
import type { GatewayHello, GatewayStatus, LinkState } from "../types.ts"

/** What `GET /health` tells. */
export interface Health {
  /** Milliseconds since the console started. */
  readonly uptimeMs: number
  readonly gateway: "ok" | "unreachable"
  /** What happened to the board's file, in a sentence; null while all is well. */
  readonly database: string | null
}

export const readHealth = (body: unknown): Health | null => {
  const health = recordOf(body)
  const uptime = numberOf(health?.uptime)
  if (health === null || uptime === null) return null
  return {
    uptimeMs: uptime * 1_000,
    gateway: health.gateway === "ok" ? "ok" : "unreachable",
    database: filledText(health.database)
  }
}

/** A model the agents may use. */
export interface ModelView {
  readonly id: string
  readonly label: string
  readonly provider: string
}

export const readModels = (body: unknown): ReadonlyArray<ModelView> | null => {
  const models = fieldsOf(body).models
  if (!Array.isArray(models)) return null
  return recordsOf(models).flatMap((model) => {
    const id = filledText(model.id)
    return id === null ? [] : [{ id, label: filledText(model.label) ?? id, provider: filledText(model.provider) ?? "" }]
  })
}

/** Whether a newer version of the console is published. */
export interface UpdateView {
  readonly current: string
  /** Null where nobody tells. */
  readonly latest: string | null
  readonly isNewer: boolean
  /** Why nobody tells, in half a sentence. */
  readonly reason: string | null
}

export const readUpdate = (body: unknown): UpdateView | null => {
  const fields = fieldsOf(body)
  const current = filledText(fields.current)
  if (current === null) return null
  return {
    current,
    latest: filledText(fields.latest),
    isNewer: fields.updateAvailable === true,
    reason: filledText(fields.reason)
  }
}

/** How the gateway is, in a word and a sentence. */
export interface GatewayView {
  readonly tone: "ok" | "busy" | "bad"
  readonly word: string
  readonly detail: string
}

/** The way from this page to the gateway has two parts: the console's server, and the page's own link through it. */
export const gatewayView = (
  link: LinkState,
  hello: GatewayHello | null,
  server: Pick<GatewayStatus, "gateway" | "reason"> | null
): GatewayView => {
  if (link.phase === "ready" && hello !== null && hello.scopes?.length === 0)
    return { tone: "bad", word: "Not approved", detail: "The gateway knows this console and allows it nothing yet." }
  if (link.phase === "ready" && server?.gateway === "unreachable")
    return {
      tone: "busy",
      word: "Partly connected",
      detail: server.reason ?? "This page reaches the gateway, the console's server does not."
    }
  switch (link.phase) {
    case "ready":
      return { tone: "ok", word: "Connected", detail: "The gateway answers." }
    case "connecting":
      return { tone: "busy", word: "Connecting", detail: link.message ?? server?.reason ?? "The link is being opened." }
    case "waiting":
      return {
        tone: "busy",
        word: "Reconnecting",
        detail: link.message ?? server?.reason ?? "The link was lost and is tried again by itself."
      }
    case "refused":
      return { tone: "bad", word: "Refused", detail: link.message ?? "The gateway refused the connection." }
    default:
      return { tone: "bad", word: "Not connected", detail: link.message ?? server?.reason ?? "There is no link." }
  }
}

/** The command that approves this console's device, out of the sentences that name it; null where none does. */
export const approvalCommand = (...sentences: ReadonlyArray<string | null | undefined>): string | null => {
  const found = sentences.flatMap(
    (text) => /openclaw devices (?:approve [\w.:-]{1,80}|list)/.exec(text ?? "")?.[0] ?? []
  )
  return found.find((command) => command.includes("approve")) ?? found[0] ?? null
}

/** The middle of some measurements; null without any. */
export const median = (values: ReadonlyArray<number>): number | null =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? null
