import { Option, Schema } from "effect"
import type { Failure } from "../../../contract/failure.ts"
import { failure } from "../../../contract/failures.ts"

/** What the gateway says about a failed run or message, apart from its text. */
const Detail = Schema.Struct({
  provider: Schema.optionalKey(Schema.Unknown),
  model: Schema.optionalKey(Schema.Unknown),
  failoverReason: Schema.optionalKey(Schema.Unknown),
  providerRuntimeFailureKind: Schema.optionalKey(Schema.Unknown),
  httpStatus: Schema.optionalKey(Schema.Unknown)
})
type Detail = typeof Detail.Type
const decodeDetail = Schema.decodeUnknownOption(Detail)

type Cause =
  | "credentials"
  | "setAside"
  | "reloading"
  | "billing"
  | "rate"
  | "context"
  | "model"
  | "format"
  | "timeout"
  | "away"
  | "certificate"
  | "session"
  | "empty"

/** The run's model and provider, if known. */
interface Names {
  readonly provider: string | undefined
  readonly model: string | undefined
}

/** What happened, and what a person can do about it. */
const SENTENCES: Readonly<Record<Cause, (names: Names) => Failure>> = {
  credentials: ({ provider }) => failure("RUN_CREDENTIALS_REJECTED", { provider }),
  setAside: ({ provider }) => failure("RUN_PROVIDER_PAUSED", { provider }),
  reloading: () => failure("RUN_GATEWAY_RELOADING"),
  billing: ({ provider }) => failure("RUN_BILLING", { provider }),
  rate: ({ provider }) => failure("RUN_RATE_LIMITED", { provider }),
  context: ({ model }) => failure("RUN_TASK_TOO_LONG", { model }),
  model: ({ model }) => failure("RUN_MODEL_UNUSABLE", { model }),
  format: ({ provider, model }) => failure("RUN_REQUEST_REJECTED", { provider, model }),
  timeout: ({ model }) => failure("RUN_MODEL_TIMEOUT", { model }),
  away: ({ provider }) => failure("RUN_PROVIDER_UNAVAILABLE", { provider }),
  certificate: ({ provider }) => failure("RUN_PROVIDER_CERTIFICATE", { provider }),
  session: () => failure("RUN_SESSION_LOST"),
  empty: ({ model }) => failure("RUN_EMPTY_ANSWER", { model })
}

const REASONS: Readonly<Record<string, Cause>> = {
  auth: "credentials",
  auth_permanent: "credentials",
  billing: "billing",
  rate_limit: "rate",
  overloaded: "away",
  server_error: "away",
  timeout: "timeout",
  tls_certificate: "certificate",
  context_overflow: "context",
  model_not_found: "model",
  format: "format",
  session_expired: "session",
  empty_response: "empty"
}

const KINDS: Readonly<Record<string, Cause>> = {
  auth_refresh: "credentials",
  refresh_contention: "credentials",
  refresh_timeout: "credentials",
  callback_timeout: "credentials",
  callback_validation: "credentials",
  auth_scope: "credentials",
  auth_html: "credentials",
  auth_invalid_token: "credentials",
  upstream_html: "away",
  proxy: "away",
  tls_certificate: "certificate",
  model_not_found: "model",
  schema: "format",
  replay_invalid: "session",
  timeout: "timeout"
}

const STATUSES: Readonly<Record<number, Cause>> = {
  400: "format",
  401: "credentials",
  402: "billing",
  403: "credentials",
  404: "model",
  408: "timeout",
  413: "context",
  422: "format",
  429: "rate"
}

const TEXTS: ReadonlyArray<readonly [RegExp, Cause]> = [
  [/temporarily disabled/i, "setAside"],
  [/generation was superseded/i, "reloading"],
  [/\b(401|403)\b|unauthori[sz]ed|api key|authentication|credential|permission denied/i, "credentials"],
  [/\b402\b|billing|quota|credit|insufficient funds/i, "billing"],
  [/\b429\b|rate.?limit|too many requests/i, "rate"],
  [/\b413\b|context (length|window|overflow)|too (long|large|many tokens)|maximum context/i, "context"],
  [/\b404\b|model.*(not found|unknown|not supported|does not exist|unavailable)|unknown model|no such model/i, "model"],
  [/\b408\b|timed? ?out|timeout/i, "timeout"],
  [/\b(400|422)\b|rejected the request|request (format|schema)/i, "format"],
  [/overloaded|unavailable|\b5\d\d\b|econn|network|fetch failed|socket/i, "away"]
]

const causeOf = (text: string | undefined, detail: Detail): Cause | undefined => {
  const { failoverReason: reason, providerRuntimeFailureKind: kind, httpStatus: status } = detail
  const known = [
    typeof reason === "string" && Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined,
    typeof kind === "string" && Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined,
    typeof status === "number" ? (STATUSES[status] ?? (status >= 500 ? "away" : undefined)) : undefined
  ].find((cause) => cause !== undefined)
  return known ?? TEXTS.find(([pattern]) => text !== undefined && pattern.test(text))?.[1]
}

const PROVIDER = /^[A-Za-z0-9][\w.-]{0,63}$/
/** Not a path: some providers name a model by its file. */
const MODEL = /^[A-Za-z0-9@][\w.:@+-]{0,63}(\/[\w.:@+-]{1,63}){0,2}$/
/** Names the gateway uses for its own notes. */
const NOTES = /^(openclaw|gateway-injected)$/

const nameOf = (value: unknown, pattern: RegExp): string | undefined =>
  typeof value === "string" && pattern.test(value) && !NOTES.test(value) ? value : undefined

/** What to do about a failed run, never the gateway's own text. `reported` is what else it reported. */
export const runFailure = (text: string | undefined, reported?: unknown): Failure => {
  const detail = Option.getOrElse(decodeDetail(reported), (): Detail => ({}))
  const provider = nameOf(detail.provider, PROVIDER)
  const model = nameOf(detail.model, MODEL)
  const cause = causeOf(text, detail)
  if (cause !== undefined) return SENTENCES[cause]({ provider, model })
  const at = [provider, model].filter((name) => name !== undefined).join("/")
  return at === "" ? failure("RUN_FAILED") : failure("RUN_FAILED_AT", { at })
}

export const TIMED_OUT = failure("RUN_TIMED_OUT")
export const LOST = failure("RUN_LOST")
