import { Result, Schema } from "effect"
import { upgradeFacts } from "../access/upgradeFacts.ts"
import type { Gateway } from "../Gateway.ts"
import { invokeTool } from "../methods/tools.ts"
import type { JsonObject } from "../wire/frames.ts"
import { answerMedia } from "./mediaAnswers.ts"
import type { PlainAnswer, PlainRequest } from "./plainAnswer.ts"

/** Largest body of `POST /tools/invoke` in bytes. */
export const MAX_TOOL_BODY = 2 * 1024 * 1024

const json = (status: number, body: unknown): PlainAnswer => ({
  status,
  type: "application/json; charset=utf-8",
  body: JSON.stringify(body)
})

const plain = (status: number, body: string): PlainAnswer => ({ status, type: "text/plain; charset=utf-8", body })

/** The answer to forwarded headers from a loopback peer. */
export const FORWARDED_ANSWER = json(403, {
  error: {
    message: "Forwarded headers from a loopback peer need gateway.trustedProxies",
    type: "proxy_attribution_required"
  }
})

const authorized = (gateway: Gateway, request: PlainRequest) =>
  request.headers.authorization === `Bearer ${gateway.token}`

const Invocation = Schema.fromJsonString(
  Schema.Struct({
    tool: Schema.optionalKey(Schema.String),
    name: Schema.optionalKey(Schema.String),
    action: Schema.optionalKey(Schema.String),
    args: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
    sessionKey: Schema.optionalKey(Schema.String)
  })
)

const decodeInvocation = Schema.decodeUnknownResult(Invocation)

const UNAUTHORIZED = json(401, { error: { message: "Unauthorized", type: "unauthorized" } })

const badBody = (message: string) => json(400, { error: { message, type: "invalid_request_error" } })

const invoke = (gateway: Gateway, request: PlainRequest): PlainAnswer => {
  if (request.method !== "POST") return plain(405, "Method Not Allowed")
  if (!authorized(gateway, request)) return UNAUTHORIZED
  const decoded = decodeInvocation(request.body)
  if (Result.isFailure(decoded)) return badBody("Invalid JSON body")
  const { tool, name, action, args, sessionKey } = decoded.success
  const wanted = tool ?? (gateway.generation.hasFullHttp ? name : undefined)
  if (wanted === undefined)
    return gateway.generation.hasFullHttp
      ? json(400, { ok: false, error: { type: "invalid_request", message: "tools.invoke requires name" } })
      : badBody("tools.invoke requires body.tool")
  const merged: JsonObject = { ...args, ...(action === undefined ? {} : { action }) }
  const result = invokeTool(gateway, wanted, merged, sessionKey)
  if (Result.isFailure(result)) {
    const { status, type, message } = result.failure
    return json(status, { ok: false, error: { type, message } })
  }
  const details = result.success
  return json(200, {
    ok: true,
    result: { content: [{ type: "text", text: JSON.stringify(details, null, 2) }], details }
  })
}

const history = (gateway: Gateway, request: PlainRequest, key: string, url: URL): PlainAnswer => {
  if (!authorized(gateway, request)) return UNAUTHORIZED
  const session = gateway.store.find(key)
  const limit = Number(url.searchParams.get("limit") ?? "200")
  const messages = session?.messages.slice(-(Number.isFinite(limit) ? limit : 200)) ?? []
  return json(200, {
    sessionKey: session?.key ?? key,
    items: messages.map((message) => gateway.generation.message(message, "history"))
  })
}

const INDEX =
  '<!doctype html><html lang="en"><head><title>Demo gateway</title></head><body><p>This is the demo gateway of Agent Console.</p></body></html>'

/** Answers plain HTTP like the gateway; `starting` is true until it's ready. */
export const answerHttp = (gateway: Gateway, request: PlainRequest, starting: boolean): PlainAnswer => {
  const base = "http://127.0.0.1"
  if (!URL.canParse(request.url, base)) return plain(400, "Bad Request")
  const url = new URL(request.url, base)
  const path = url.pathname
  if (path === "/health" || path === "/healthz") return json(200, { ok: true, status: "live" })
  if (path === "/ready" || path === "/readyz" || (path === "/startupz" && gateway.generation.hasFullHttp))
    return json(starting ? 503 : 200, {
      ready: !starting,
      failing: starting ? ["startup-sidecars"] : [],
      uptimeMs: gateway.now() - gateway.startedAt
    })
  if (gateway.generation.hasFullHttp && upgradeFacts(request.headers).forwarded) return FORWARDED_ANSWER
  if (path === "/tools/invoke") return invoke(gateway, request)
  const session = /^\/sessions\/([^/]+)\/history$/.exec(path)?.[1]
  if (session !== undefined && request.method === "GET")
    return history(
      gateway,
      request,
      Result.getOrElse(
        Result.try(() => decodeURIComponent(session)),
        () => session
      ),
      url
    )
  const media = answerMedia(gateway, request, url, authorized(gateway, request) ? undefined : UNAUTHORIZED)
  if (media !== undefined && request.method === "GET") return media
  if (path.startsWith("/api/") || request.method !== "GET") return plain(404, "Not Found")
  return { status: 200, type: "text/html; charset=utf-8", body: INDEX }
}
