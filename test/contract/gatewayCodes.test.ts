import { assert, describe, it } from "@effect/vitest"
import { approvalCommand, safeRequestId } from "../../src/contract/deviceApproval.ts"
import { closeFailure, judgeCall, judgeClose, judgeRefusal, type RefusalKind } from "../../src/contract/gatewayCodes.ts"

const RAW = "raw text of the gateway"

/** The gateway's code, the finer one, what it means, and a word of what people read. */
const REFUSALS: ReadonlyArray<readonly [string, string | undefined, RefusalKind, RegExp]> = [
  ["NOT_PAIRED", "PAIRING_REQUIRED", "unapproved", /hasn't approved/],
  ["NOT_PAIRED", undefined, "unapproved", /hasn't approved/],
  ["NOT_PAIRED", "SOMETHING_NEW", "unapproved", /hasn't approved/],
  ["NOT_PAIRED", "DEVICE_IDENTITY_REQUIRED", "device", /only accepts approved devices/],
  ["INVALID_REQUEST", "DEVICE_AUTH_SIGNATURE_INVALID", "signature", /device identity/],
  ["INVALID_REQUEST", "DEVICE_AUTH_SIGNATURE_EXPIRED", "device", /clocks differ/],
  ["INVALID_REQUEST", "DEVICE_AUTH_NONCE_MISMATCH", "device", /device identity/],
  ["INVALID_REQUEST", "DEVICE_AUTH_DEVICE_ID_MISMATCH", "device", /device identity/],
  ["INVALID_REQUEST", "AUTH_DEVICE_TOKEN_MISMATCH", "device", /no longer accepts this console's device/],
  ["INVALID_REQUEST", "AUTH_TOKEN_MISMATCH", "denied", /set GATEWAY_TOKEN/],
  ["INVALID_REQUEST", "AUTH_TOKEN_MISSING", "denied", /set GATEWAY_TOKEN/],
  ["INVALID_REQUEST", "AUTH_TOKEN_NOT_CONFIGURED", "denied", /gateway\.auth\.token/],
  ["INVALID_REQUEST", "AUTH_PASSWORD_MISSING", "denied", /asks for a password/],
  ["INVALID_REQUEST", "AUTH_SOMETHING_NEW", "denied", /gateway\.auth\.mode/],
  ["INVALID_REQUEST", "CONTROL_UI_ORIGIN_NOT_ALLOWED", "denied", /allowedOrigins/],
  ["INVALID_REQUEST", "PROTOCOL_MISMATCH", "denied", /different protocol versions/],
  ["INVALID_REQUEST", undefined, "denied", /see its log/],
  ["UNAVAILABLE", undefined, "retry", /still starting/],
  ["UNAVAILABLE", "SOMETHING_NEW", "retry", /still starting/]
]

describe("a refused connect", () => {
  it.each(REFUSALS)("%s, %s: %s", (code, detail, kind, sentence) => {
    const refusal = judgeRefusal({ code, detail, message: RAW })
    assert.strictEqual(refusal.kind, kind)
    assert.strictEqual(refusal.code, detail ?? code)
    assert.match(refusal.failure.message, sentence)
    assert.match(refusal.failure.message, /^[A-Z].*\.$/)
    assert.notInclude(refusal.failure.message, RAW)
  })

  it("names the command with the request, and only a harmless one", () => {
    const pairing = (requestId: string | undefined) =>
      judgeRefusal({ code: "NOT_PAIRED", detail: "PAIRING_REQUIRED", requestId })
    const id = "934570a3-e0ba-416b-a7be-a5feb1fc5ba9"
    assert.include(pairing(id).failure.message, `\`openclaw devices approve ${id}\``)
    assert.strictEqual(pairing(id).requestId, id)
    for (const hostile of ["$(rm -rf ~)", "a; b", "--all", "", " x", "x".repeat(200)]) {
      assert.isUndefined(pairing(hostile).requestId, hostile)
      assert.include(pairing(hostile).failure.message, "`openclaw devices list`")
    }
  })

  it("a lock-out is no start-up, although the gateway calls it retryable", () => {
    const locked = { code: "INVALID_REQUEST", detail: "AUTH_RATE_LIMITED", retryable: true, retryAfterMs: 290_000 }
    assert.deepInclude(judgeRefusal(locked), { kind: "denied", retryAfterMs: 290_000 })
    assert.match(judgeRefusal(locked).failure.message, /too many failed attempts/)
  })

  it("an unknown code is believed when it says that another attempt may help, or that none does", () => {
    assert.strictEqual(judgeRefusal({ code: "BUSY", retryable: true }).kind, "retry")
    assert.strictEqual(judgeRefusal({ code: "UNAVAILABLE", retryable: false }).kind, "denied")
  })

  it("an older gateway gives no code for another protocol", () => {
    assert.match(
      judgeRefusal({ code: "INVALID_REQUEST", message: "protocol mismatch" }).failure.message,
      /different protocol versions/
    )
  })
})

describe("a close without an answer", () => {
  it.each([
    [1008, "pairing required", "unapproved", undefined],
    [1008, "pairing required: device is not approved yet (requestId: r-1)", "unapproved", "r-1"],
    [1008, "pairing required (requestId: $(x))", "unapproved", undefined],
    [1008, "unauthorized: device token mismatch (rotate/reissue device token)", "device", undefined],
    [1008, "device signature expired", "device", undefined],
    [1008, "unauthorized: gateway token mismatch", "denied", undefined],
    [1008, "origin not allowed", "denied", undefined],
    [1012, "service restart", "retry", undefined],
    [1013, "gateway starting", "retry", undefined],
    [4001, "device removed", "retry", undefined]
  ] as const)("%i %s: %s", (code, reason, kind, requestId) => {
    const refusal = judgeClose(code, reason)
    assert.deepInclude(refusal, { kind, requestId })
    assert.match(refusal?.failure.message ?? "", /^[A-Z].*\.$/)
  })

  it.each([
    [1000, ""],
    [1006, ""],
    [1008, "slow consumer"],
    [1009, ""],
    [1014, "Couldn't reach the gateway"]
  ])("%i %s says nothing", (code, reason) => {
    assert.isUndefined(judgeClose(code, reason))
  })

  it("the device's token is judged the same by a close and by an answer", () => {
    assert.deepStrictEqual(
      judgeClose(1008, "unauthorized: device token mismatch"),
      judgeRefusal({ code: "INVALID_REQUEST", detail: "AUTH_DEVICE_TOKEN_MISMATCH" })
    )
  })

  it("what a link ended with has a sentence where the gateway means something by it", () => {
    assert.match(closeFailure(1009)?.message ?? "", /too large/)
    assert.match(closeFailure(1012)?.message ?? "", /restarting/)
    assert.isUndefined(closeFailure(1006))
  })
})

describe("a refused call", () => {
  it.each([
    ["INVALID_REQUEST", null, "missing scope: operator.admin", "MISSING_SCOPE"],
    ["INVALID_REQUEST", "MISSING_SCOPE", "no", "MISSING_SCOPE"],
    ["INVALID_REQUEST", null, "unknown or expired approval id", "APPROVAL_EXPIRED"],
    ["INVALID_REQUEST", null, "label already in use: a", "LABEL_IN_USE"],
    ["UNAVAILABLE", null, "rate limit exceeded for cron.add; retry after 60s", "RATE_LIMITED"],
    ["UNAVAILABLE", null, "starting", "UNAVAILABLE"],
    ["INVALID_REQUEST", null, "unknown method: x", "UNKNOWN_METHOD"]
  ])("%s %s %s is about %s", (code, detail, message, about) => {
    assert.strictEqual(judgeCall(code, detail, message)?.[0], about)
  })

  it("of a kind that is not known has no sentence", () => {
    assert.isUndefined(judgeCall("INVALID_REQUEST", null, "no"))
  })
})

it("the command that approves", () => {
  assert.strictEqual(approvalCommand("r-1"), "openclaw devices approve r-1")
  assert.strictEqual(approvalCommand(null), "openclaw devices list")
  assert.isUndefined(safeRequestId(5))
})
