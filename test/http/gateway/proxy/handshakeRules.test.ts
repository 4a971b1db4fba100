import { assert, describe, it } from "@effect/vitest"
import {
  afterClose,
  afterRefusal,
  readConnectRequest,
  readGatewayFrame
} from "../../../../src/http/gateway/proxy/handshakeRules.ts"

describe("after a refused connect", () => {
  const refusal = (code: string, detail?: string) =>
    detail === undefined ? { code } : { code, details: { code: detail } }

  it("a bad v3 signature is tried as v2, a bad v2 one without the device", () => {
    const bad = refusal("INVALID_REQUEST", "DEVICE_AUTH_SIGNATURE_INVALID")
    assert.deepStrictEqual(afterRefusal(bad, "v3", "allowed"), { _tag: "retry", proof: "v2", delayMs: 0 })
    assert.deepStrictEqual(afterRefusal(bad, "v2", "allowed"), { _tag: "retry", proof: "none", delayMs: 0 })
    assert.deepStrictEqual(afterRefusal(bad, "none", "allowed"), { _tag: "relay" })
  })

  for (const detail of [
    "PAIRING_REQUIRED",
    "AUTH_DEVICE_TOKEN_MISMATCH",
    "DEVICE_AUTH_DEVICE_ID_MISMATCH",
    "DEVICE_AUTH_SIGNATURE_EXPIRED",
    "DEVICE_AUTH_NONCE_MISMATCH"
  ]) {
    it(`${detail} is tried without the device, once`, () => {
      const answer = refusal("NOT_PAIRED", detail)
      assert.deepStrictEqual(afterRefusal(answer, "v3", "allowed"), { _tag: "retry", proof: "none", delayMs: 0 })
      assert.deepStrictEqual(afterRefusal(answer, "none", "allowed"), { _tag: "relay" })
    })
  }

  it("a browser that wants the device or nothing gets the refusal of the device, but not that of a signature", () => {
    const unapproved = refusal("NOT_PAIRED", "PAIRING_REQUIRED")
    const bad = refusal("INVALID_REQUEST", "DEVICE_AUTH_SIGNATURE_INVALID")
    assert.deepStrictEqual(afterRefusal(unapproved, "v3", "refused"), { _tag: "relay" })
    assert.deepStrictEqual(afterRefusal(bad, "v3", "refused"), { _tag: "retry", proof: "v2", delayMs: 0 })
    assert.deepStrictEqual(afterRefusal(bad, "v2", "refused"), { _tag: "relay" })
    const closed = { code: 1008, reason: "pairing required" }
    assert.deepStrictEqual(afterClose(closed, "v3", "refused"), { _tag: "relay" })
    assert.deepStrictEqual(afterClose(closed, "v3", "allowed"), { _tag: "retry", proof: "none", delayMs: 0 })
  })

  it("a lock-out is passed on although the gateway calls it retryable", () => {
    const locked = { ...refusal("INVALID_REQUEST", "AUTH_RATE_LIMITED"), retryable: true, retryAfterMs: 290_000 }
    assert.deepStrictEqual(afterRefusal(locked, "v3", "allowed"), { _tag: "denied" })
  })

  for (const detail of ["AUTH_TOKEN_MISMATCH", "AUTH_RATE_LIMITED", "PROTOCOL_MISMATCH", undefined]) {
    it(`${detail} is passed on`, () =>
      assert.deepStrictEqual(afterRefusal(refusal("INVALID_REQUEST", detail), "v3", "allowed"), { _tag: "denied" }))
  }

  it("a gateway that is still starting is asked again when it says, within bounds", () => {
    const starting = (retryAfterMs?: number) =>
      afterRefusal(
        { code: "UNAVAILABLE", retryable: true, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
        "v2",
        "allowed"
      )
    assert.deepStrictEqual(starting(750), { _tag: "retry", proof: "v2", delayMs: 750 })
    assert.deepStrictEqual(starting(), { _tag: "retry", proof: "v2", delayMs: 500 })
    assert.deepStrictEqual(starting(-5), { _tag: "retry", proof: "v2", delayMs: 50 })
    assert.deepStrictEqual(starting(1e9), { _tag: "retry", proof: "v2", delayMs: 10_000 })
    assert.deepStrictEqual(afterRefusal({ code: "UNAVAILABLE", retryable: false }, "v3", "allowed"), { _tag: "denied" })
  })
})

it("after a close without an answer", () => {
  const reason = "unauthorized: device token mismatch (rotate/reissue device token)"
  assert.deepStrictEqual(afterClose({ code: 1013, reason: "gateway starting" }, "v3", "allowed"), {
    _tag: "retry",
    proof: "v3",
    delayMs: 500
  })
  assert.deepStrictEqual(afterClose({ code: 1008, reason }, "v3", "allowed"), {
    _tag: "retry",
    proof: "none",
    delayMs: 0
  })
  assert.deepStrictEqual(afterClose({ code: 1008, reason }, "none", "allowed"), { _tag: "relay" })
  assert.deepStrictEqual(afterClose({ code: 1008, reason: "unauthorized: gateway token mismatch" }, "v3", "allowed"), {
    _tag: "relay"
  })
  assert.deepStrictEqual(afterClose({ code: 1000, reason: "" }, "v3", "allowed"), { _tag: "relay" })
})

describe("frames of the gateway", () => {
  it("are distinguished", () => {
    assert.deepStrictEqual(
      readGatewayFrame('{"type":"event","event":"connect.challenge","payload":{"nonce":"n","ts":1,"capabilities":[]}}'),
      { _tag: "challenge", challenge: { nonce: "n", ts: 1 } }
    )
    assert.deepStrictEqual(readGatewayFrame('{"type":"res","id":"7","ok":true,"payload":{"x":1}}'), {
      _tag: "accepted",
      id: "7"
    })
    assert.deepStrictEqual(
      readGatewayFrame('{"type":"res","id":"7","ok":false,"error":{"code":"A","message":"m","details":{"code":"B"}}}'),
      { _tag: "refused", id: "7", refusal: { code: "A", details: { code: "B" } } }
    )
  })

  it("of an unknown error shape are still refusals", () => {
    for (const error of ["null", "7", '{"code":1}', '{"code":"A","details":[]}']) {
      assert.deepInclude(readGatewayFrame(`{"type":"res","id":"7","ok":false,"error":${error}}`), { _tag: "refused" })
    }
    assert.deepInclude(readGatewayFrame('{"type":"res","id":"7","ok":false}'), { _tag: "refused" })
  })

  for (const text of ["", "{", "null", "[]", "7", '{"type":"event","event":"tick"}', '{"type":"res"}']) {
    it(`${JSON.stringify(text)} means nothing to a handshake`, () =>
      assert.deepStrictEqual(readGatewayFrame(text), { _tag: "other" }))
  }
})

it("a connect request keeps what the console does not know", () => {
  const params = { client: { id: "a", mode: "b", instanceId: "c" }, caps: ["x"], locale: "de", __proto__x: 1 }
  const text = JSON.stringify({ type: "req", id: "1", method: "connect", params })
  assert.deepStrictEqual(readConnectRequest(text)?.params, params)
})
