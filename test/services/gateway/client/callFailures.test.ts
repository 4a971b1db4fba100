import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { callFailed } from "../../../../src/services/gateway/client/callFailures.ts"
import { notApproved } from "../../../../src/services/gateway/client/gatewayFailures.ts"
import { decodeErrorBody } from "../../../../src/services/gateway/client/gatewayFrames.ts"

const error = (code: string, message: string, detail?: string) =>
  decodeErrorBody({ code, message, ...(detail === undefined ? {} : { details: { code: detail } }) })

/** Answers recorded from both generations: method, error, what people and code get. */
const KINDS = [
  ["no.such", error("INVALID_REQUEST", "unknown method: no.such"), "not_found", "UNKNOWN_METHOD", /support no\.such/],
  [
    "status",
    error("FORBIDDEN", "missing scope: operator.read", "MISSING_SCOPE"),
    "missing_scope",
    "MISSING_SCOPE",
    /approve it/
  ],
  [
    "cron.add",
    error("INVALID_REQUEST", "missing scope: operator.admin"),
    "missing_scope",
    "MISSING_SCOPE",
    /cron\.add/
  ],
  ["x", error("INVALID_REQUEST", "unauthorized role: operator"), "not_allowed", "UNAUTHORIZED_ROLE", /allow consoles/],
  [
    "agent",
    error("INVALID_REQUEST", "provider/model overrides are not authorized for this caller."),
    "missing_scope",
    "OVERRIDE_NOT_ALLOWED",
    /choose a model/
  ],
  [
    "cron.run",
    error("UNAVAILABLE", "Error: unknown cron job id: unknown"),
    "not_found",
    "CRON_JOB_NOT_FOUND",
    /no cron job/
  ],
  [
    "cron.run",
    error("INVALID_REQUEST", "Automation not found: x. List automations…", "CRON_JOB_NOT_FOUND"),
    "not_found",
    "CRON_JOB_NOT_FOUND",
    /no cron job/
  ],
  [
    "cron.add",
    error("INVALID_REQUEST", "invalid cron.add params: must have required property 'sessionTarget'"),
    "invalid",
    "CRON_INCOMPLETE",
    /needs a schedule and either a prompt/
  ],
  [
    "cron.add",
    error("UNAVAILABLE", "rate limit exceeded for cron.add; retry after 60s"),
    "failed",
    "RATE_LIMITED",
    /try again in a minute/
  ],
  [
    "tools.invoke",
    error("INVALID_REQUEST", "Tool not available: memory_store"),
    "not_allowed",
    undefined,
    /doesn't allow the memory_store tool: add it to gateway\.tools\.allow/
  ],
  [
    "chat.send",
    error("INVALID_REQUEST", "message or attachment required"),
    "invalid",
    "INVALID_REQUEST",
    /rejected the values/
  ],
  [
    "chat.send",
    error("UNAVAILABLE", "HTTP 400: mock error 400 at /home/user"),
    "failed",
    "UNAVAILABLE",
    /gateway's log/
  ],
  ["chat.send", decodeErrorBody(undefined), "failed", "UNKNOWN", /gateway's log/]
] as const

const job = (fields: object) => ({ name: "x", payload: { kind: "agentTurn", message: "x" }, ...fields })
const expr = (text: string) => job({ schedule: { kind: "cron", expr: text } })
const at = (text: string) => job({ schedule: { kind: "at", at: text } })
const invalid = (message: string) => error("INVALID_REQUEST", message)
const unavailable = (message: string) => error("UNAVAILABLE", message)

/** Values that were refused, recorded from both generations, and the field and sentence that people get. */
const VALUES = [
  [
    "sessions.patch",
    { key: "main", model: "nope/none" },
    invalid('Unknown provider "nope". Use /models to list providers.'),
    "model",
    'The gateway doesn\'t have the model "nope/none": choose another one.'
  ],
  [
    "sessions.patch",
    { key: "main", model: "openai/gpt-4o" },
    invalid('Model openai/gpt-4o requires agent harness "codex", but no enabled plugin provides it. Install …'),
    "model",
    'The gateway doesn\'t have the plugin for the model "openai/gpt-4o": choose another one.'
  ],
  [
    "sessions.patch",
    { key: "main", thinkingLevel: "enormous" },
    invalid("invalid thinkingLevel (use off|minimal|low|medium|high|adaptive)"),
    "thinkingLevel",
    'The model doesn\'t support the thinking level "enormous": choose off, minimal, low, medium, high or adaptive.'
  ],
  [
    "sessions.patch",
    { key: "main", thinkingLevel: "high" },
    invalid('thinkingLevel "high" is not supported for mock/mock-fast (use off)'),
    "thinkingLevel",
    'The model doesn\'t support the thinking level "high": choose off.'
  ],
  [
    "sessions.patch",
    { key: "main", thinkingLevel: "xhigh" },
    invalid('thinkingLevel "xhigh" is only supported for provider models that advertise xhigh reasoning'),
    "thinkingLevel",
    'The model doesn\'t support the thinking level "xhigh": choose another one.'
  ],
  [
    "sessions.patch",
    { key: "main", label: "probe label" },
    invalid("label already in use: probe label"),
    "label",
    'The name "probe label" is taken by another session: choose another one.'
  ],
  [
    "sessions.patch",
    { key: "agent::x" },
    invalid('malformed session key "agent::x"'),
    "sessionKey",
    'The session key "agent::x" isn\'t valid: use the form agent:main:name.'
  ],
  [
    "sessions.patch",
    { key: "main", label: "x".repeat(600) },
    invalid(
      "invalid sessions.patch params: at /label: must not have more than 512 characters; at /label: must be null"
    ),
    "label",
    `The gateway doesn't accept "${"x".repeat(58)}….`
  ],
  [
    "cron.add",
    expr("61 9 * * *"),
    invalid("invalid cron.add params: CronPattern: Invalid value for minute: 61"),
    "schedule",
    'The schedule "61 9 * * *" isn\'t a valid cron expression, such as 0 9 * * *.'
  ],
  [
    "cron.update",
    { id: "a", patch: expr("abc") },
    unavailable("TypeError: CronPattern: invalid configuration format ('abc'), exactly five, six, or seven …"),
    "schedule",
    'The schedule "abc" isn\'t a valid cron expression, such as 0 9 * * *.'
  ],
  [
    "cron.add",
    expr("0 9 30 2 *"),
    invalid('invalid cron.add params: cron expression "0 9 30 2 *" has no upcoming run time and would never fire'),
    "schedule",
    'The schedule "0 9 30 2 *" never runs.'
  ],
  [
    "cron.add",
    job({ schedule: { kind: "cron", expr: "0 9 * * *", tz: "No/Where" } }),
    invalid("invalid cron.add params: CronDate: Failed to convert date to timezone 'No/Where'. This may happen with …"),
    "schedule.tz",
    'The time zone "No/Where" doesn\'t exist: use the form Europe/Berlin.'
  ],
  [
    "cron.add",
    at("later"),
    invalid("Invalid schedule.at: expected ISO-8601 timestamp (got later)"),
    "schedule.at",
    'The time "later" isn\'t valid: use the form 2027-01-31T09:00:00Z.'
  ],
  [
    "cron.add",
    at("2001-01-01T00:00:00Z"),
    invalid("schedule.at is in the past: 2001-01-01T00:00:00.000Z (13617486 minutes ago). Current time: …"),
    "schedule.at",
    'The time "2001-01-01T00:00:00Z" is in the past: choose a later one.'
  ],
  [
    "cron.add",
    at("2099-01-01T00:00:00Z"),
    invalid(
      "schedule.at is too far in the future: 2099-01-01T00:00:00.000Z (72 years ahead). Maximum allowed: 10 years"
    ),
    "schedule.at",
    'The time "2099-01-01T00:00:00Z" is too far away: choose an earlier one.'
  ],
  [
    "cron.add",
    job({ sessionTarget: "main" }),
    unavailable('Error: main cron jobs require payload.kind="systemEvent"'),
    "payload.kind",
    "A job in the main session needs a systemEvent; a job in its own session needs an agentTurn."
  ],
  [
    "cron.update",
    { id: "a", patch: { agentId: "nobody" } },
    unavailable("Error: cron job agent is unavailable: nobody"),
    "agentId",
    'The gateway has no agent "nobody".'
  ],
  [
    "cron.add",
    job({ delivery: { mode: "webhook", to: "ftp://x" } }),
    unavailable("Error: cron webhook delivery requires delivery.to to be a valid http(s) URL"),
    "delivery.to",
    'The address "ftp://x" isn\'t valid: a webhook starts with http:// or https://.'
  ],
  [
    "cron.update",
    { id: "a", patch: { delivery: { mode: "announce", channel: "nochannel" } } },
    invalid("invalid cron.update params: delivery.channel is not a known channel: nochannel"),
    "channel",
    'The gateway has no channel "nochannel": set it up there or choose another one.'
  ],
  [
    "cron.add",
    job({ colour: "red" }),
    invalid("invalid cron.add params: at root: unexpected property 'colour'"),
    "colour",
    "The gateway has no such field."
  ],
  [
    "cron.update",
    { id: "a", patch: { colour: 1 } },
    invalid("invalid cron.update params: at /patch: unexpected property 'colour'; must have required property 'jobId'"),
    "colour",
    "The gateway has no such field."
  ],
  [
    "cron.update",
    { id: "a", patch: { payload: { kind: "poem" } } },
    invalid("invalid cron.update params: at /patch/payload/kind: must be equal to constant; at /patch/payload: …"),
    "payload.kind",
    'The gateway doesn\'t accept "poem".'
  ],
  [
    "cron.add",
    job({ description: 5 }),
    invalid("invalid cron.add params: at /description: must be string"),
    "description",
    "The gateway doesn't accept 5."
  ],
  [
    "cron.add",
    { schedule: { kind: "weekly" } },
    invalid("invalid cron.add params: at /schedule: must have required property 'at'; at /schedule/kind: must be …"),
    "schedule",
    'The gateway doesn\'t accept {"kind":"weekly"}.'
  ]
] as const

describe("callFailed", () => {
  it.each(KINDS)("%s: %o", (method, body, reason, code, sentence) => {
    const failure = callFailed({ method, params: {}, error: body })
    assert.strictEqual(failure.reason, reason)
    assert.strictEqual(failure.code, code)
    assert.isUndefined(failure.field)
    assert.match(failure.message, sentence)
    assert.match(failure.message, /^[A-Z].*\.$/)
    if (body.message.length > 0) assert.notInclude(failure.message, body.message)
  })

  it.each(VALUES)("names what %s did not take of %j", (method, params, body, field, sentence) => {
    const failure = callFailed({ method, params, error: body })
    assert.deepInclude(failure, { reason: "invalid", field, message: sentence })
    const without = callFailed({ method, params: {}, error: body })
    assert.strictEqual(without.reason, "invalid")
    assert.match(without.message, /^[A-Z].*\.$/)
    assert.notMatch(without.message, / [:.]/)
  })

  it("on a link without scopes the missing approval is the reason", () => {
    const reduced = notApproved("abc")
    const refused = error("FORBIDDEN", "missing scope: x", "MISSING_SCOPE")
    assert.strictEqual(callFailed({ method: "status", params: {}, error: refused }, reduced), reduced)
  })

  it("nothing of a hostile tool name gets into a sentence", () => {
    const refused = error("INVALID_REQUEST", "Tool not available: `rm -rf ~`")
    assert.notInclude(callFailed({ method: "tools.invoke", params: {}, error: refused }).message, "rm -rf")
  })

  const SAYS = ["at root: unexpected property 'SECRET'", "at /SECRET: must be string", "at /job/SECRET: x", "SECRET"]
  const Said = Schema.Union([Schema.Literals(SAYS), Schema.String])

  it.prop(
    "names only what the call had, and repeats nothing of what the gateway said",
    [Schema.Array(Said), Schema.Record(Schema.String, Schema.Unknown)],
    ([said, more]) => {
      const params = { job: { schedule: "x" }, ...more }
      const message = `invalid cron.add params: ${said.join("; ")}`
      const failure = callFailed({ method: "cron.add", params, error: invalid(message) })
      assert.notInclude(failure.message, "SECRET")
      const top = failure.field?.split(".")[0]
      if (failure.code === "INVALID_REQUEST" && top !== undefined) assert.property(params, top)
    }
  )
})
