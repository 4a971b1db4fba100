import { assert, describe, it } from "@effect/vitest"
import { callFailed, notApproved, openFailed, refusalOf } from "../../../src/services/gateway/gatewayFailures.ts"
import { decodeErrorBody } from "../../../src/services/gateway/gatewayFrames.ts"

const error = (code: string, message: string, detail?: string) =>
  decodeErrorBody({ code, message, ...(detail === undefined ? {} : { details: { code: detail } }) })

/** Answers recorded from both generations: method, error, what people and code get. */
const CALLS = [
  [
    "no.such",
    error("INVALID_REQUEST", "unknown method: no.such"),
    "not_found",
    "UNKNOWN_METHOD",
    /does not know no\.such/
  ],
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
  ["x", error("INVALID_REQUEST", "unauthorized role: operator"), "not_allowed", "UNAUTHORIZED_ROLE", /does not let/],
  [
    "agent",
    error("INVALID_REQUEST", "provider/model overrides are not authorized for this caller."),
    "missing_scope",
    "OVERRIDE_NOT_ALLOWED",
    /choose a model/
  ],
  [
    "sessions.patch",
    error("INVALID_REQUEST", 'Unknown provider "nope". Use /models to list providers.'),
    "invalid",
    "UNKNOWN_MODEL",
    /model/
  ],
  [
    "sessions.patch",
    error("INVALID_REQUEST", "invalid thinkingLevel (use off|minimal|low|medium|high)"),
    "invalid",
    "INVALID_THINKING_LEVEL",
    /thinking level/
  ],
  ["sessions.patch", error("INVALID_REQUEST", "label already in use: x"), "invalid", "LABEL_IN_USE", /label/],
  [
    "cron.run",
    error("UNAVAILABLE", "Error: unknown cron job id: unknown"),
    "not_found",
    "CRON_JOB_NOT_FOUND",
    /no such cron job/
  ],
  [
    "cron.run",
    error("INVALID_REQUEST", "Automation not found: x. List automations…", "CRON_JOB_NOT_FOUND"),
    "not_found",
    "CRON_JOB_NOT_FOUND",
    /no such cron job/
  ],
  [
    "cron.add",
    error("UNAVAILABLE", "TypeError: CronPattern: invalid configuration format ('nonsense')"),
    "invalid",
    "CRON_EXPRESSION",
    /cron expression/
  ],
  [
    "cron.add",
    error("INVALID_REQUEST", "delivery.channel is not a known channel: webchat"),
    "invalid",
    "UNKNOWN_CHANNEL",
    /channel/
  ],
  [
    "tools.invoke",
    error("INVALID_REQUEST", "Tool not available: memory_store"),
    "not_allowed",
    undefined,
    /does not allow the memory_store tool: add it to gateway\.tools\.allow/
  ],
  [
    "chat.send",
    error("INVALID_REQUEST", "message or attachment required"),
    "invalid",
    "INVALID_REQUEST",
    /did not accept/
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

describe("callFailed (D35)", () => {
  it.each(CALLS)("%s: %o", (method, body, reason, code, sentence) => {
    const failure = callFailed(method, body)
    assert.strictEqual(failure.reason, reason)
    assert.strictEqual(failure.code, code)
    assert.match(failure.message, sentence)
    assert.match(failure.message, /^[A-Z].*\.$/)
    if (body.message.length > 0) assert.notInclude(failure.message, body.message)
  })

  it("on a link without scopes the missing approval is the reason", () => {
    const reduced = notApproved("abc")
    const failure = callFailed("status", error("FORBIDDEN", "missing scope: x", "MISSING_SCOPE"), reduced)
    assert.strictEqual(failure, reduced)
  })

  it("nothing of a hostile tool name or request id gets into a sentence", () => {
    const tool = callFailed("tools.invoke", error("INVALID_REQUEST", "Tool not available: `rm -rf ~`"))
    assert.notInclude(tool.message, "rm -rf")
    const body = decodeErrorBody({
      code: "NOT_PAIRED",
      details: { code: "PAIRING_REQUIRED", requestId: "a; rm -rf ~" }
    })
    const refusal = refusalOf(body)
    assert.notInclude(refusal.error.message, "rm -rf")
    assert.include(refusal.error.message, "openclaw devices list")
  })
})

describe("refusalOf", () => {
  it.each([
    [
      error("INVALID_REQUEST", "unauthorized: gateway token mismatch", "AUTH_TOKEN_MISMATCH"),
      "denied",
      /set GATEWAY_TOKEN/
    ],
    [
      error("INVALID_REQUEST", "unauthorized: gateway token missing", "AUTH_TOKEN_MISSING"),
      "denied",
      /set GATEWAY_TOKEN/
    ],
    [error("INVALID_REQUEST", "x", "AUTH_PASSWORD_MISSING"), "denied", /gateway\.auth\.mode/],
    [error("INVALID_REQUEST", "x", "AUTH_RATE_LIMITED"), "denied", /some minutes/],
    [error("INVALID_REQUEST", "protocol mismatch", "PROTOCOL_MISMATCH"), "denied", /protocol/],
    [error("INVALID_REQUEST", "protocol mismatch"), "denied", /protocol/],
    [error("INVALID_REQUEST", "invalid connect params: at /client/id"), "denied", /gateway's log/],
    [error("NOT_PAIRED", "pairing required", "PAIRING_REQUIRED"), "device", /openclaw devices approve/],
    [error("NOT_PAIRED", "device identity required", "DEVICE_IDENTITY_REQUIRED"), "device", /not approved/],
    [error("INVALID_REQUEST", "x", "DEVICE_AUTH_SIGNATURE_INVALID"), "signature", /device identity/],
    [error("INVALID_REQUEST", "x", "DEVICE_AUTH_SIGNATURE_EXPIRED"), "device", /clock/],
    [error("INVALID_REQUEST", "x", "DEVICE_AUTH_NONCE_MISMATCH"), "device", /device identity/],
    [decodeErrorBody({ code: "UNAVAILABLE", retryAfterMs: 750 }), "starting", /still starting/]
  ] as const)("%o", (body, kind, sentence) => {
    const refusal = refusalOf(body)
    assert.strictEqual(refusal.kind, kind)
    assert.match(refusal.error.message, sentence)
    if (refusal.kind === "starting") assert.strictEqual(refusal.retryAfterMs, 750)
  })
})

describe("openFailed", () => {
  it.each([
    [{ code: "ECONNREFUSED" }, /No gateway is listening at http:\/\/gw:1: start it/],
    [{ code: "ENOTFOUND" }, /cannot be found/],
    [{ code: "DEPTH_ZERO_SELF_SIGNED_CERT" }, /certificate/],
    [{ code: "EHOSTUNREACH" }, /cannot be reached/],
    [{ status: 404 }, /HTTP 404/],
    [{}, /cannot be reached/]
  ])("%o", (failure, sentence) => {
    const { message, reason } = openFailed("http://gw:1", failure)
    assert.strictEqual(reason, "unreachable")
    assert.match(message, sentence)
  })
})
