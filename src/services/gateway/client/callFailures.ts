import { judgeCall } from "../../../contract/gatewayCodes.ts"
import { GatewayError, type GatewayFailureReason } from "./GatewayError.ts"
import { toolNotAllowed } from "./gatewayFailures.ts"
import type { ErrorBody } from "./gatewayFrames.ts"
import { paramAt, refusedParam, shownValue } from "./refusedParams.ts"

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
  /** `value` is a space and the rejected value, or empty if the call had none. */
  readonly sentence: (value: string, call: RefusedCall) => string
}

const LEVELS = /\(use ([a-z|-]{1,200})\)/

const listed = (names: ReadonlyArray<string>): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`

const levelSentence = (value: string, { error }: RefusedCall): string => {
  const levels = LEVELS.exec(error.message)?.[1]?.split("|") ?? []
  return `The model doesn't support the thinking level${value}: choose ${levels.length === 0 ? "another one" : listed(levels)}.`
}

const RULES: ReadonlyArray<Rule> = [
  {
    code: "UNKNOWN_METHOD",
    reason: "not_found",
    sentence: (_, { method }) => `This gateway doesn't support ${method}: update the gateway.`
  },
  {
    code: "MISSING_SCOPE",
    reason: "missing_scope",
    sentence: (_, { method }) =>
      `The console's device isn't allowed to use ${method}: approve it again on the gateway with all scopes.`
  },
  {
    code: "UNAUTHORIZED_ROLE",
    text: /^unauthorized role\b/i,
    reason: "not_allowed",
    sentence: (_, { method }) => `The gateway doesn't allow consoles to use ${method}.`
  },
  {
    code: "OVERRIDE_NOT_ALLOWED",
    text: /overrides are not authorized/i,
    reason: "missing_scope",
    sentence: () =>
      "The console's device isn't allowed to choose a model: approve it again on the gateway with all scopes."
  },
  {
    code: "RATE_LIMITED",
    reason: "failed",
    sentence: (_, { method }) => `Too many ${method} requests for the gateway: try again in a minute.`
  },
  {
    code: "CONFIG_CHANGED",
    text: /^config changed since last load/i,
    reason: "failed",
    sentence: () => "Someone else was changing the gateway's configuration: try again."
  },
  {
    code: "UNKNOWN_MODEL",
    reason: "invalid",
    at: "model",
    sentence: (value) => `The gateway doesn't have the model${value}: choose another one.`
  },
  {
    code: "MODEL_NEEDS_PLUGIN",
    text: /^Model .* requires agent harness/,
    reason: "invalid",
    at: "model",
    sentence: (value) => `The gateway doesn't have the plugin for the model${value}: choose another one.`
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
    sentence: (value) => `The name${value} is taken by another session: choose another one.`
  },
  {
    code: "SESSION_KEY",
    text: /^malformed session key/i,
    reason: "invalid",
    at: "key",
    field: "sessionKey",
    sentence: (value) => `The session key${value} isn't valid: use the form agent:main:name.`
  },
  {
    code: "REQUEST_SETTLED",
    text: /^unknown or expired approval id|^approval (?:already resolved|not found|expired)|^unknown requestId|^question '[^']*' (?:was not found|is already)/i,
    reason: "not_found",
    sentence: () => "Someone has already answered this, or it has expired."
  },
  {
    code: "CRON_JOB_NOT_FOUND",
    text: /unknown cron job|automation not found/i,
    reason: "not_found",
    sentence: () => "The gateway has no cron job with this id."
  },
  {
    code: "CRON_INCOMPLETE",
    text: /^invalid cron\.add params: must have required property/,
    reason: "invalid",
    sentence: () => "A job needs a schedule and either a prompt, or sessionTarget, wakeMode and payload."
  },
  {
    code: "CRON_NEVER",
    text: /has no upcoming run time/,
    reason: "invalid",
    at: "schedule.expr",
    field: "schedule",
    sentence: (value) => `The schedule${value} never runs.`
  },
  {
    code: "CRON_EXPRESSION",
    text: /CronPattern/,
    reason: "invalid",
    at: "schedule.expr",
    field: "schedule",
    sentence: (value) => `The schedule${value} isn't a valid cron expression, such as 0 9 * * *.`
  },
  {
    code: "CRON_ZONE",
    text: /\btime ?zone\b/i,
    reason: "invalid",
    at: "schedule.tz",
    sentence: (value) => `The time zone${value} doesn't exist: use the form Europe/Berlin.`
  },
  {
    code: "CRON_TIME",
    text: /^Invalid schedule\.at/i,
    reason: "invalid",
    at: "schedule.at",
    sentence: (value) => `The time${value} isn't valid: use the form 2027-01-31T09:00:00Z.`
  },
  {
    code: "CRON_TIME_PAST",
    text: /^schedule\.at is in the past/i,
    reason: "invalid",
    at: "schedule.at",
    sentence: (value) => `The time${value} is in the past: choose a later one.`
  },
  {
    code: "CRON_TIME_FAR",
    text: /^schedule\.at is too far/i,
    reason: "invalid",
    at: "schedule.at",
    sentence: (value) => `The time${value} is too far away: choose an earlier one.`
  },
  {
    code: "CRON_PAYLOAD",
    text: /cron jobs require payload\.kind/,
    reason: "invalid",
    at: "payload.kind",
    sentence: () => "A job in the main session needs a systemEvent; a job in its own session needs an agentTurn."
  },
  {
    code: "CRON_AGENT",
    text: /cron job agent is unavailable/,
    reason: "invalid",
    at: "agentId",
    sentence: (value) => `The gateway has no agent${value}.`
  },
  {
    code: "CRON_WEBHOOK",
    text: /webhook delivery requires/,
    reason: "invalid",
    at: "delivery.to",
    sentence: (value) => `The address${value} isn't valid: a webhook starts with http:// or https://.`
  },
  {
    code: "UNKNOWN_CHANNEL",
    text: /not a known channel/i,
    reason: "invalid",
    at: "delivery.channel",
    field: "channel",
    sentence: (value) => `The gateway has no channel${value}: set it up there or choose another one.`
  }
]

const TOOL_TEXT = /^Tool not available: ([A-Za-z0-9_.-]{1,64})/

const explained = (rule: Rule, call: RefusedCall): GatewayError => {
  const value = rule.at === undefined ? undefined : paramAt(call.params, rule.at)
  const field = rule.field ?? rule.at
  return new GatewayError({
    reason: rule.reason,
    message: rule.sentence(value === undefined ? "" : ` ${shownValue(value)}`, call),
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
      return new GatewayError({ reason: "not_allowed", message: `The gateway doesn't allow ${method}.`, code })
    case "INVALID_REQUEST": {
      const refused = refusedParam(params, error.message)
      if (refused === undefined) {
        const message = `The gateway rejected the values for ${method}.`
        return new GatewayError({ reason: "invalid", message, code })
      }
      return new GatewayError({ reason: "invalid", message: refused.sentence, code, field: refused.field })
    }
    default:
      return new GatewayError({
        reason: "failed",
        message: `The gateway couldn't carry out ${method}: try again, and check the gateway's log if it keeps happening.`,
        code
      })
  }
}
