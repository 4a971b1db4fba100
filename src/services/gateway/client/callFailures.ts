import type { Failure } from "../../../contract/failure.ts"
import { failure } from "../../../contract/failures.ts"
import { judgeCall } from "../../../contract/gatewayCodes.ts"
import { GatewayError, type GatewayFailureReason } from "./GatewayError.ts"
import { toolNotAllowed } from "./gatewayFailures.ts"
import type { ErrorBody } from "./gatewayFrames.ts"

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null

const valueAt = (params: unknown, names: ReadonlyArray<string>): unknown =>
  names.reduce<unknown>(
    (value, name) => (isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    params
  )

/** Calls that change something have the new values in a separate part. */
const CHANGES = "patch"

/** A call's value at a path such as `schedule.expr`, if any. */
const paramAt = (params: object, path: string): unknown => {
  const names = path.split(".")
  return valueAt(params, names) ?? valueAt(params, [CHANGES, ...names])
}

const MAX_SHOWN = 60
const CONTROL = /\p{Cc}/gu

/** A value formatted for a sentence. */
export const shownValue = (value: unknown): string => {
  const text = (JSON.stringify(value) ?? "nothing").replace(CONTROL, " ")
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN - 1)}…`
}

/** What a gateway rejected in a call's params. */
interface RefusedParam {
  /** Always a path from the call, such as `payload.message`. */
  readonly field: string
  readonly failure: Failure
}

const REFUSED = /^invalid [\w.]{1,100} params: (?:at (root|\/[^:]{1,200}): )?([^;]{1,200})/
const UNEXPECTED = /^unexpected property '([^']{1,100})'/

/**
 * The param a gateway's validation rejected first; `undefined` if it names none from the call. The gateway's own words
 * aren't repeated.
 */
const refusedParam = (params: object, message: string): RefusedParam | undefined => {
  const said = REFUSED.exec(message)
  if (said === null) return undefined
  const [, at = "root", fault = ""] = said
  const extra = UNEXPECTED.exec(fault)?.[1]
  const names = [...(at === "root" ? [] : at.slice(1).split("/")), ...(extra === undefined ? [] : [extra])]
  const value = valueAt(params, names)
  const field = (names[0] === CHANGES ? names.slice(1) : names).join(".")
  if (value === undefined || field === "") return undefined
  const why =
    extra === undefined ? failure("VALUE_NOT_ACCEPTED", { value: shownValue(value) }) : failure("NO_SUCH_FIELD")
  return { field, failure: why }
}

/** A gateway call that returned an error. */
export interface RefusedCall {
  readonly method: string
  readonly params: object
  readonly error: ErrorBody
}

interface Rule {
  readonly code: string
  /** For gateways that give no finer code, where the page has no use for it: `judgeCall` knows the others' texts. */
  readonly text?: RegExp
  readonly reason: GatewayFailureReason
  /** Where the rejected value is in the params. */
  readonly at?: string
  /** The name people know that place by, if different. */
  readonly field?: string
  /** `given` is the rejected value, if the call had one. */
  readonly sentence: (given: string | undefined, call: RefusedCall) => Failure
}

const LEVELS = /\(use ([a-z|-]{1,200})\)/

const levelSentence: Rule["sentence"] = (given, { error }) => {
  const levels = LEVELS.exec(error.message)?.[1]
  return levels === undefined
    ? failure("THINKING_LEVEL_UNSUPPORTED", { given })
    : failure("THINKING_LEVEL_CHOOSE", { given, levels: levels.split("|").join(", ") })
}

const RULES: ReadonlyArray<Rule> = [
  {
    code: "UNKNOWN_METHOD",
    reason: "not_found",
    sentence: (_, { method }) => failure("UNKNOWN_METHOD", { method })
  },
  {
    code: "MISSING_SCOPE",
    reason: "missing_scope",
    sentence: (_, { method }) => failure("MISSING_SCOPE", { method })
  },
  {
    code: "UNAUTHORIZED_ROLE",
    text: /^unauthorized role\b/i,
    reason: "not_allowed",
    sentence: (_, { method }) => failure("ROLE_NOT_ALLOWED", { method })
  },
  {
    code: "OVERRIDE_NOT_ALLOWED",
    text: /overrides are not authorized/i,
    reason: "missing_scope",
    sentence: () => failure("MODEL_OVERRIDE_NOT_ALLOWED")
  },
  {
    code: "RATE_LIMITED",
    reason: "failed",
    sentence: (_, { method }) => failure("METHOD_RATE_LIMITED", { method })
  },
  {
    code: "CONFIG_CHANGED",
    text: /^config changed since last load/i,
    reason: "failed",
    sentence: () => failure("CONFIG_CHANGED")
  },
  {
    code: "UNKNOWN_MODEL",
    reason: "invalid",
    at: "model",
    sentence: (given) => failure("UNKNOWN_MODEL", { given })
  },
  {
    code: "MODEL_NEEDS_PLUGIN",
    text: /^Model .* requires agent harness/,
    reason: "invalid",
    at: "model",
    sentence: (given) => failure("MODEL_NEEDS_PLUGIN", { given })
  },
  {
    code: "INVALID_THINKING_LEVEL",
    reason: "invalid",
    at: "thinkingLevel",
    sentence: levelSentence
  },
  {
    code: "LABEL_IN_USE",
    reason: "invalid",
    at: "label",
    sentence: (given) => failure("LABEL_IN_USE", { given })
  },
  {
    code: "SESSION_KEY",
    text: /^malformed session key/i,
    reason: "invalid",
    at: "key",
    field: "sessionKey",
    sentence: (given) => failure("INVALID_SESSION_KEY", { given })
  },
  {
    code: "REQUEST_SETTLED",
    text: /^unknown or expired approval id|^approval (?:already resolved|not found|expired)|^unknown requestId|^question '[^']*' (?:was not found|is already)/i,
    reason: "not_found",
    sentence: () => failure("REQUEST_SETTLED")
  },
  {
    code: "CRON_JOB_NOT_FOUND",
    text: /unknown cron job|automation not found/i,
    reason: "not_found",
    sentence: () => failure("CRON_JOB_UNKNOWN")
  },
  {
    code: "CRON_INCOMPLETE",
    text: /^invalid cron\.add params: must have required property/,
    reason: "invalid",
    sentence: () => failure("CRON_INCOMPLETE")
  },
  {
    code: "CRON_NEVER",
    text: /has no upcoming run time/,
    reason: "invalid",
    at: "schedule.expr",
    field: "schedule",
    sentence: (given) => failure("CRON_NEVER_RUNS", { given })
  },
  {
    code: "CRON_EXPRESSION",
    text: /CronPattern/,
    reason: "invalid",
    at: "schedule.expr",
    field: "schedule",
    sentence: (given) => failure("INVALID_CRON_EXPRESSION", { given })
  },
  {
    code: "CRON_ZONE",
    text: /\btime ?zone\b/i,
    reason: "invalid",
    at: "schedule.tz",
    sentence: (given) => failure("UNKNOWN_TIME_ZONE", { given })
  },
  {
    code: "CRON_TIME",
    text: /^Invalid schedule\.at/i,
    reason: "invalid",
    at: "schedule.at",
    sentence: (given) => failure("INVALID_TIME", { given })
  },
  {
    code: "CRON_TIME_PAST",
    text: /^schedule\.at is in the past/i,
    reason: "invalid",
    at: "schedule.at",
    sentence: (given) => failure("TIME_PAST", { given })
  },
  {
    code: "CRON_TIME_FAR",
    text: /^schedule\.at is too far/i,
    reason: "invalid",
    at: "schedule.at",
    sentence: (given) => failure("TIME_TOO_FAR", { given })
  },
  {
    code: "CRON_PAYLOAD",
    text: /cron jobs require payload\.kind/,
    reason: "invalid",
    at: "payload.kind",
    sentence: () => failure("CRON_PAYLOAD_MISMATCH")
  },
  {
    code: "CRON_AGENT",
    text: /cron job agent is unavailable/,
    reason: "invalid",
    at: "agentId",
    sentence: (given) => failure("UNKNOWN_AGENT", { given })
  },
  {
    code: "CRON_WEBHOOK",
    text: /webhook delivery requires/,
    reason: "invalid",
    at: "delivery.to",
    sentence: (given) => failure("INVALID_WEBHOOK", { given })
  },
  {
    code: "UNKNOWN_CHANNEL",
    text: /not a known channel/i,
    reason: "invalid",
    at: "delivery.channel",
    field: "channel",
    sentence: (given) => failure("UNKNOWN_CHANNEL", { given })
  }
]

const TOOL_TEXT = /^Tool not available: ([A-Za-z0-9_.-]{1,64})/

const explained = (rule: Rule, call: RefusedCall): GatewayError => {
  const value = rule.at === undefined ? undefined : paramAt(call.params, rule.at)
  const field = rule.field ?? rule.at
  return new GatewayError({
    reason: rule.reason,
    ...rule.sentence(value === undefined ? undefined : shownValue(value), call),
    code: rule.code,
    ...(field === undefined ? {} : { field })
  })
}

/**
 * The error for a refused call, in the console's own words: the gateway's are never repeated, and values come from the
 * call. If this connection has no scopes, `reduced` is the reason, which is then the more useful message.
 */
export const callFailed = (call: RefusedCall, reduced?: GatewayError): GatewayError => {
  const { method, params, error } = call
  const tool = TOOL_TEXT.exec(error.message)?.[1]
  if (tool !== undefined) return toolNotAllowed(tool)
  const rule =
    RULES.find(({ code }) => code === error.detail) ??
    RULES.find(({ text }) => error.detail === undefined && text?.test(error.message)) ??
    RULES.find(({ code }) => error.detail === undefined && code === judgeCall(error.code, null, error.message)?.[0])
  if (rule !== undefined) {
    return rule.reason === "missing_scope" && reduced !== undefined ? reduced : explained(rule, call)
  }
  const code = error.detail ?? error.code
  switch (error.code) {
    case "FORBIDDEN":
    case "NOT_PAIRED":
      return new GatewayError({ reason: "not_allowed", ...failure("METHOD_NOT_ALLOWED", { method }), code })
    case "INVALID_REQUEST": {
      const refused = refusedParam(params, error.message)
      if (refused === undefined) {
        return new GatewayError({ reason: "invalid", ...failure("VALUES_REJECTED", { method }), code })
      }
      return new GatewayError({ reason: "invalid", ...refused.failure, code, field: refused.field })
    }
    default:
      return new GatewayError({
        reason: "failed",
        ...failure("CALL_FAILED", { method }),
        code
      })
  }
}
