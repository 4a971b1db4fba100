import { fieldsOf, filledText, parseJson, textOf } from "../../../../src/contract/looseFields.ts"
import type { AuthStatus, SignedOut } from "../../../../src/contract/schema/access.ts"
import type { ErrorAnswer } from "../../../../src/contract/schema/failure.ts"
import type { ConnectDefaults, ServerInfo, Version } from "../../../../src/contract/schema/machine.ts"
import { below } from "../common/basePath.ts"
import { say } from "../language/say.ts"
import type { ApiClient, ApiFailure, ApiFailureKind, ApiResult, HttpMethod, RequestOptions } from "./apiTypes.ts"
import type { Environment } from "./Environment.ts"
import { failureText } from "./failureText.ts"

/** The console's own 401s; whatever a proxy sends with that status is about the proxy's sign-in. */
const OWN_REFUSAL = /^(Authentication required|Invalid password)$/

/** What proxies answer by themselves when the console behind them doesn't, Cloudflare's own ones among them. */
export const isGone = (status: number) =>
  status === 502 || status === 503 || status === 504 || (status >= 520 && status <= 530)

/**
 * Whether something between this browser and the console has answered in its place, by what can be told before the body
 * is read: the console redirects none of these requests, and answers none of them with a page.
 */
export const isForeign = (response: Pick<Response, "type" | "redirected" | "headers">): boolean =>
  response.type === "opaqueredirect" ||
  response.redirected ||
  /\bx?html\b/i.test(response.headers.get("content-type") ?? "")

/**
 * What kind of failure somebody else's answer is; null for an answer of the console's own. `body` is the decoded one,
 * `undefined` for one that isn't JSON.
 */
export function foreignFailure(response: Response, body: unknown, text: string): ApiFailureKind | null {
  const { status } = response
  const isElsewhere = isForeign(response) || (body === undefined && text.trimStart().startsWith("<"))
  const isJson = body !== undefined
  if (isElsewhere || !isJson) {
    if (status === 413) return "too_large"
    if (status === 429) return "rate_limited"
    if (isGone(status)) return "offline"
  }
  if (isElsewhere) return "foreign"
  if (status === 401 && !OWN_REFUSAL.test(textOf(fieldsOf<ErrorAnswer>(body).error) ?? "")) return "foreign"
  return status === 404 && !isJson ? "foreign" : null
}

const CALL_LIMIT = 20_000
/**
 * Bytes of all requests under way that may outlive the page. Browsers refuse what goes beyond 64 KiB; some of that is
 * left for what isn't counted here.
 */
const OUTLIVING_BYTES = 60_000

const KINDS: Readonly<Record<number, ApiFailureKind>> = {
  400: "invalid",
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  413: "too_large",
  429: "rate_limited",
  502: "gateway",
  503: "gateway"
}

/** Nothing answers at the console's own address. */
export const CONSOLE_AWAY = say("Can't reach the console's server. Check that it's running.")

/** Something else answers there, such as the sign-in page of a proxy or of a guest network. */
export const INTERCEPTED = say(
  "Something between this browser and the console answers in its place, such as a sign-in page. Reload this address to see it."
)

/** For a 413 that isn't the console's: nginx, for one, takes a megabyte unless it's told otherwise. */
const TOO_LARGE_FOR_PROXY = say(
  "A proxy between this browser and the console refused this because of its size. Its limit for requests has to be raised; the console's deployment guide says how far."
)

/** What to say of an answer that isn't the console's, by its status. */
export const sentenceBetween = (status: number): string =>
  status === 413 ? TOO_LARGE_FOR_PROXY : isGone(status) ? CONSOLE_AWAY : INTERCEPTED

const SENTENCES: Readonly<Record<ApiFailureKind, string>> = {
  offline: CONSOLE_AWAY,
  foreign: INTERCEPTED,
  timeout: say("The console's server didn't respond in time. Try again."),
  unauthorized: say("Please sign in again."),
  forbidden: say("The console's server doesn't allow that from here."),
  rate_limited: say("Too many requests. Wait a moment, then try again."),
  not_found: say("That no longer exists."),
  conflict: say("Someone else changed this in the meantime."),
  invalid: say("The console's server didn't accept this."),
  too_large: say("That's too large."),
  gateway: say("The gateway couldn't do that."),
  server: say("Something went wrong on the console's server. See its log for details."),
  shape: say("The page doesn't understand the server's response. Reload the page.")
}

/** What holds the work that was to begin. */
const HOLDS: ReadonlyMap<unknown, string> = new Map([
  ["stopped", say("Everything is stopped. Resume first, then start this.")],
  ["budget_paused", say("A budget is used up. Decide in the inbox how it goes on.")]
])

/** Kinds whose `error` says no more than the page's own sentence. */
const KNOWN_BY_STATUS: ReadonlySet<ApiFailureKind> = new Set(["server", "unauthorized", "too_large"])

const fail = (
  kind: ApiFailureKind,
  status = 0,
  message = SENTENCES[kind],
  body: ApiFailure["body"] = null
): ApiFailure => ({
  kind,
  status,
  message,
  retryAfterMs: null,
  body
})

/** `Retry-After` is seconds or an HTTP date. */
function retryAfter(header: string | null, now: number): number {
  const seconds = header === null ? Number.NaN : Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000)
  const date = header === null ? Number.NaN : Date.parse(header)
  return Number.isFinite(date) ? Math.max(0, date - now) : 1_000
}

const accepted = (): true => true

const agentNameOf = (name: string): string => (name.trim() === "" ? say("Agent") : name)

const encoder = new TextEncoder()
/** The size of a text on the way; of one that is too large anyway, not less than the limit. */
const bytesOf = (text: string): number => (text.length > OUTLIVING_BYTES ? text.length : encoder.encode(text).length)

export function createApiClient(env: Environment): ApiClient {
  const unauthorized = new Set<() => void>()
  const foreignAnswers = new Set<() => void>()
  const builds = new Set<(build: string) => void>()
  let outliving = 0
  let trusted: Readonly<Record<string, string>> = {}

  /** A failure for somebody else's answer; null for an answer of the console's own. */
  function foreign(response: Response, body: unknown, text: string): ApiFailure | null {
    const kind = foreignFailure(response, body, text)
    if (kind === "foreign") for (const listener of [...foreignAnswers]) listener()
    if (kind === null || kind === "rate_limited") return null
    return fail(kind, response.status, sentenceBetween(response.status))
  }

  async function failure(response: Response): Promise<ApiFailure> {
    const { status } = response
    const text = await response.text().catch(() => "")
    const body = parseJson<NonNullable<ApiFailure["body"]>>(text)
    const between = foreign(response, body, text)
    if (between !== null) return between
    const kind = KINDS[status] ?? "server"
    const said =
      HOLDS.get(body?.error) ??
      sentenceIn(body?.details) ??
      (KNOWN_BY_STATUS.has(kind) ? null : sentenceIn(body?.error))
    const plain = fail(kind, status, said === null ? SENTENCES[kind] : failureText(said, body?.why), body ?? null)
    if (kind !== "rate_limited") return plain
    const header = response.headers.get("retry-after")
    const retryAfterMs = retryAfter(header, env.now())
    const count = Math.max(1, Math.ceil(retryAfterMs / 1_000))
    // The page says itself that its own requests were too many.
    const own = header === null ? SENTENCES[kind] : say("Too many requests. Try again in {count} s.", { count })
    return { ...plain, message: said !== null && /^[A-Z]/.test(said) ? plain.message : own, retryAfterMs }
  }

  /** Error codes such as `not_found` are for programs; a line with a space is for people, many lines for a log. */
  const sentenceIn = (said: unknown): string | null => {
    const text = filledText(said)?.trim() ?? ""
    return text.includes(" ") && !text.includes("\n") ? text : null
  }

  async function request<Answer, A>(
    method: HttpMethod,
    path: string,
    read: (answer: Answer) => A | null,
    options: RequestOptions = {}
  ): Promise<ApiResult<A>> {
    const limit = AbortSignal.timeout(options.timeoutMs ?? CALL_LIMIT)
    const signal = options.signal === undefined ? limit : AbortSignal.any([limit, options.signal])
    const sent = options.body === undefined ? null : JSON.stringify(options.body)
    const bytes = options.keepalive === true ? bytesOf(sent ?? "") : 0
    const keepalive = options.keepalive === true && outliving + bytes <= OUTLIVING_BYTES
    if (keepalive) outliving += bytes
    try {
      const response = await env.fetch(`${env.origin}${below(path)}`, {
        method,
        signal,
        credentials: "same-origin",
        // The console sends nobody on; whoever does is a proxy that wants a sign-in.
        redirect: "manual",
        keepalive,
        headers: { ...trusted, ...(sent === null ? {} : { "content-type": "application/json" }) },
        ...(sent === null ? {} : { body: sent })
      })
      const build = response.headers.get("x-console-build")
      if (build !== null) for (const listener of [...builds]) listener(build)
      if (!response.ok) {
        const error = await failure(response)
        if (error.kind === "unauthorized" && path !== "/api/auth/login")
          for (const listener of [...unauthorized]) listener()
        return { ok: false, error }
      }
      const text = await response.text()
      const answer = parseJson<Answer>(text)
      const between = foreign(response, answer, text)
      if (between !== null) return { ok: false, error: between }
      const value = typeof answer === "object" && answer !== null ? read(answer) : null
      return value === null ? { ok: false, error: fail("shape", response.status) } : { ok: true, value }
    } catch {
      return { ok: false, error: fail(limit.aborted ? "timeout" : "offline") }
    } finally {
      if (keepalive) outliving -= bytes
    }
  }

  /** Asks as for a change, whose origin the console checks; what has no build of a console isn't its answer. */
  async function isKnownAddress(): Promise<boolean> {
    const url = `${env.origin}${below("/api/auth/login")}`
    const asked = env.fetch(url, { method: "OPTIONS", redirect: "manual", signal: AbortSignal.timeout(CALL_LIMIT) })
    const headers = (await asked.catch(() => null))?.headers
    return headers?.has("x-console-build") !== true || headers.get("access-control-allow-origin") === env.origin
  }

  return {
    request,
    isKnownAddress,
    authStatus: () => request("GET", "/api/auth/status", (status: AuthStatus) => status),
    login: (password) => request("POST", "/api/auth/login", accepted, { body: { password } }),
    logout: () => request("POST", "/api/auth/logout", ({ details }: SignedOut) => details === undefined),
    connectDefaults: () =>
      request("GET", "/api/connect-defaults", ({ agentName, gateways = [], ...rest }: ConnectDefaults) => ({
        ...rest,
        agentName: agentNameOf(agentName),
        gateways
      })),
    serverInfo: () =>
      request("GET", "/api/server-info", (info: ServerInfo) => ({
        ...info,
        agentName: agentNameOf(info.agentName)
      })),
    version: () => request("GET", "/api/version", (version: Version) => version),
    onUnauthorized: (listener) => {
      unauthorized.add(listener)
      return () => unauthorized.delete(listener)
    },
    onForeign: (listener) => {
      foreignAnswers.add(listener)
      return () => foreignAnswers.delete(listener)
    },
    setToken: (token) => {
      trusted = { "x-gateway-token": token }
    },
    onBuild: (listener) => {
      builds.add(listener)
      return () => builds.delete(listener)
    }
  }
}
