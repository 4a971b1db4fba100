import { Option, Schema } from "effect"

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

/** The names to use in a sentence: the run's model and provider if known. */
interface Names {
  readonly provider: string
  readonly model: string
}

/** What happened, and what a person can do about it. */
const SENTENCES: Readonly<Record<Cause, (names: Names) => string>> = {
  credentials: ({ provider }) =>
    `${provider} rejected the gateway's credentials: check the provider's API key on the gateway, then run the task again`,
  setAside: ({ provider }) =>
    `the gateway is pausing requests to ${provider} after its key or account was rejected: check both, then run the task again`,
  reloading: () => "the gateway was reloading its settings: run the task again",
  billing: ({ provider }) =>
    `${provider} rejected the request because of billing or quota: check the account, or choose another model`,
  rate: ({ provider }) => `${provider} is rate limiting requests: wait a moment, then run the task again`,
  context: ({ model }) => `the task is too long for ${model}: shorten it, or choose a model with more context`,
  model: ({ model }) => `the gateway couldn't use ${model}: choose another model for this task`,
  format: ({ provider, model }) => `${provider} rejected the request for ${model}: choose another model for this task`,
  timeout: ({ model }) => `${model} didn't respond in time: run the task again, or choose another model`,
  away: ({ provider }) => `${provider} can't be reached or is overloaded: try again later, or choose another model`,
  certificate: ({ provider }) =>
    `the gateway doesn't trust the certificate of ${provider}: check the provider's address on the gateway`,
  session: () => "the gateway couldn't continue the task's session: run the task again",
  empty: ({ model }) => `${model} gave no answer: run the task again, or choose another model`
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
  const told = [
    typeof reason === "string" && Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined,
    typeof kind === "string" && Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined,
    typeof status === "number" ? (STATUSES[status] ?? (status >= 500 ? "away" : undefined)) : undefined
  ].find((cause) => cause !== undefined)
  return told ?? TEXTS.find(([pattern]) => text !== undefined && pattern.test(text))?.[1]
}

const PROVIDER = /^[A-Za-z0-9][\w.-]{0,63}$/
/** Not a path: some providers name a model by its file. */
const MODEL = /^[A-Za-z0-9@][\w.:@+-]{0,63}(\/[\w.:@+-]{1,63}){0,2}$/
/** Names the gateway uses for its own notes. */
const NOTES = /^(openclaw|gateway-injected)$/

const nameOf = (value: unknown, pattern: RegExp): string | undefined =>
  typeof value === "string" && pattern.test(value) && !NOTES.test(value) ? value : undefined

/** What to do about a failed run, never the gateway's own text. `told` is what else it reported. */
export const runFailure = (text: string | undefined, told?: unknown): string => {
  const detail = Option.getOrElse(decodeDetail(told), (): Detail => ({}))
  const provider = nameOf(detail.provider, PROVIDER)
  const model = nameOf(detail.model, MODEL)
  const cause = causeOf(text, detail)
  if (cause !== undefined) {
    return SENTENCES[cause]({
      provider: provider === undefined ? "the model's provider" : `the provider ${provider}`,
      model: model === undefined ? "this model" : `the model ${model}`
    })
  }
  const at = [provider, model].filter((name) => name !== undefined).join("/")
  return at === ""
    ? "the agent's run failed: open its session to see how far it got, and check the gateway's log for the reason"
    : `the agent's run failed at ${at}: run the task again, or choose another model`
}

export const TIMED_OUT = "timed out after 30 minutes"
export const LOST = "the gateway no longer knows this run, probably because it restarted: run the task again"
