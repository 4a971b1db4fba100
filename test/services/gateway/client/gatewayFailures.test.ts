import { assert, describe, it } from "@effect/vitest"
import { openFailed, refusalOf } from "../../../../src/services/gateway/client/gatewayFailures.ts"
import { decodeErrorBody } from "../../../../src/services/gateway/client/gatewayFrames.ts"

const error = (code: string, message: string, detail?: string) =>
  decodeErrorBody({ code, message, ...(detail === undefined ? {} : { details: { code: detail } }) })

it("nothing of a hostile request id gets into a sentence", () => {
  const body = decodeErrorBody({
    code: "NOT_PAIRED",
    details: { code: "PAIRING_REQUIRED", requestId: "a; rm -rf ~" }
  })
  const refusal = refusalOf(body)
  assert.notInclude(refusal.error.message, "rm -rf")
  assert.include(refusal.error.message, "openclaw devices list")
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
    [error("INVALID_REQUEST", "x", "AUTH_RATE_LIMITED"), "denied", /five minutes/],
    [error("INVALID_REQUEST", "protocol mismatch", "PROTOCOL_MISMATCH"), "denied", /protocol/],
    [error("INVALID_REQUEST", "protocol mismatch"), "denied", /protocol/],
    [error("INVALID_REQUEST", "invalid connect params: at /client/id"), "denied", /see its log/],
    [error("NOT_PAIRED", "pairing required", "PAIRING_REQUIRED"), "unapproved", /openclaw devices approve/],
    [
      error("NOT_PAIRED", "device identity required", "DEVICE_IDENTITY_REQUIRED"),
      "device",
      /only accepts approved devices/
    ],
    [error("INVALID_REQUEST", "x", "DEVICE_AUTH_SIGNATURE_INVALID"), "signature", /device identity/],
    [error("INVALID_REQUEST", "x", "DEVICE_AUTH_SIGNATURE_EXPIRED"), "device", /clock/],
    [error("INVALID_REQUEST", "x", "DEVICE_AUTH_NONCE_MISMATCH"), "device", /device identity/],
    [decodeErrorBody({ code: "UNAVAILABLE", retryAfterMs: 750 }), "retry", /still starting/]
  ] as const)("%o", (body, kind, sentence) => {
    const refusal = refusalOf(body)
    assert.strictEqual(refusal.kind, kind)
    assert.match(refusal.error.message, sentence)
    if (refusal.kind === "retry") assert.strictEqual(refusal.retryAfterMs, 750)
  })
})

describe("openFailed", () => {
  it.each([
    [{ code: "ECONNREFUSED" }, /No gateway is listening at http:\/\/gw:1: start it/],
    [{ code: "ENOTFOUND" }, /Couldn't find the host/],
    [{ code: "DEPTH_ZERO_SELF_SIGNED_CERT" }, /certificate/],
    [{ code: "EHOSTUNREACH" }, /Couldn't reach the gateway/],
    [{ status: 404 }, /HTTP 404/],
    [{ status: 308 }, /http:\/\/gw:1 answers with a redirect.* set GATEWAY_URL to the address it leads to/],
    [{}, /Couldn't reach the gateway/]
  ])("%o", (failure, sentence) => {
    const { message, reason } = openFailed("http://gw:1", failure)
    assert.strictEqual(reason, "unreachable")
    assert.match(message, sentence)
  })
})
