import { createPublicKey, verify } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import {
  type ConnectParams,
  type SignatureVersion,
  type SignedFields,
  signaturePayload,
  signConnectParams,
  signDevice
} from "../../../../src/services/gateway/device/connectSignature.ts"
import { deviceKeyFromSeed } from "../../../../src/services/gateway/device/deviceKey.ts"

const key = deviceKeyFromSeed(new Uint8Array(32).fill(1))
const challenge = { nonce: "11111111-2222-3333-4444-555555555555", ts: 1_700_000_000_000 }
const vector: SignedFields = {
  clientId: "gateway-client",
  clientMode: "ui",
  role: "operator",
  scopes: ["operator.read", "operator.write"],
  signedAt: challenge.ts,
  token: "test-token",
  nonce: challenge.nonce,
  platform: "linux",
  deviceFamily: ""
}
const params: ConnectParams = {
  minProtocol: 3,
  maxProtocol: 3,
  client: { id: "gateway-client", mode: "ui", version: "1.0.0", platform: "MacIntel", deviceFamily: "Phone" },
  role: "operator",
  scopes: ["operator.write", "operator.admin"],
  caps: ["tool-events"],
  auth: { token: "typed by hand", deviceToken: "another device's" },
  device: { id: "another device" },
  locale: "de"
}

const Device = Schema.Struct({
  id: Schema.String,
  publicKey: Schema.String,
  signature: Schema.String,
  signedAt: Schema.Finite,
  nonce: Schema.String
})
const deviceOf = (sent: ConnectParams) => Schema.decodeUnknownSync(Device)(sent.device)

const isSignatureOf = (signature: string, payload: string) =>
  verify(
    null,
    Buffer.from(payload),
    createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: key.publicKey }, format: "jwk" }),
    Buffer.from(signature, "base64url")
  )

describe("the gateway's published example", () => {
  it("has this public key and device id", () => {
    assert.strictEqual(key.publicKey, "iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w")
    assert.strictEqual(key.id, "34750f98bd59fcfc946da45aaabe933be154a4b5094e1c4abf42866505f3c97e")
  })

  it("is signed over this text", () => {
    assert.strictEqual(
      signaturePayload("v3", key.id, vector),
      "v3|34750f98bd59fcfc946da45aaabe933be154a4b5094e1c4abf42866505f3c97e|gateway-client|ui|operator|operator.read,operator.write|1700000000000|test-token|11111111-2222-3333-4444-555555555555|linux|"
    )
  })

  it("has this signature", () => {
    assert.strictEqual(
      signDevice("v3", key, vector).signature,
      "DWYN3rrzMQZTSccwfR9LaXLfm8LkU4AU7kwxt5Lo03oxKM5R_HxSzFSdzw7O14YunGcZPSwYUajwixmXynchBA"
    )
  })
})

it("v2 is v3 without platform and device family", () => {
  const v3 = signaturePayload("v3", key.id, vector).split("|")
  assert.deepStrictEqual(signaturePayload("v2", key.id, vector).split("|"), ["v2", ...v3.slice(1, -2)])
})

it("platform and device family are trimmed and lower-cased in ASCII only", () => {
  const payload = signaturePayload("v3", key.id, { ...vector, platform: "  MacINTEL ", deviceFamily: "ÄPhone" })
  assert.isTrue(payload.endsWith("|macintel|Äphone"))
})

describe("connect parameters on their way to the gateway", () => {
  const send = (version: SignatureVersion | undefined, from: ConnectParams = params) =>
    signConnectParams(from, {
      challenge,
      token: "secret",
      device: version === undefined ? undefined : { key, version }
    })

  it("carry the console's token and nothing of the browser's credentials", () => {
    assert.deepStrictEqual(send("v3").auth, { token: "secret" })
    assert.strictEqual(deviceOf(send("v3")).id, key.id)
  })

  it("carry the pinned platform and family and keep the rest of the client", () => {
    assert.deepStrictEqual(send("v3").client, {
      id: "gateway-client",
      mode: "ui",
      version: "1.0.0",
      platform: "agent-console",
      deviceFamily: "server"
    })
  })

  it("keep the order of the scopes and unknown fields", () => {
    assert.deepStrictEqual(send("v3").scopes, ["operator.write", "operator.admin"])
    assert.strictEqual(send("v3").locale, "de")
    assert.deepStrictEqual(send("v3").caps, ["tool-events"])
  })

  it("widen the older client's range and never narrow a wider one", () => {
    assert.deepInclude(send("v3"), { minProtocol: 3, maxProtocol: 4 })
    assert.deepInclude(send("v3", { ...params, minProtocol: 1, maxProtocol: 7 }), { minProtocol: 1, maxProtocol: 7 })
    const { minProtocol: _min, maxProtocol: _max, ...silent } = params
    assert.deepInclude(send("v3", silent), { minProtocol: 3, maxProtocol: 4 })
  })

  it("say role and scopes even when the browser left them out", () => {
    const { role: _role, scopes: _scopes, ...silent } = params
    const sent = send("v3", silent)
    assert.strictEqual(sent.role, "operator")
    assert.deepStrictEqual(sent.scopes, [])
    assert.isTrue(
      isSignatureOf(
        deviceOf(sent).signature,
        `v3|${key.id}|gateway-client|ui|operator||${challenge.ts}|secret|${challenge.nonce}|agent-console|server`
      )
    )
  })

  it("have no device when the device is left out", () => {
    const sent = send(undefined)
    assert.notProperty(sent, "device")
    assert.deepStrictEqual(sent.auth, { token: "secret" })
  })

  it.effect.prop(
    "are signed over the values that are sent, whatever the browser's values are",
    [Schema.String, Schema.String, Schema.String, Schema.Array(Schema.String), Schema.Literals(["v2", "v3"])],
    ([id, mode, role, scopes, version]) =>
      Effect.sync(() => {
        const sent = send(version, { ...params, client: { ...params.client, id, mode }, role, scopes })
        const payload = [
          version,
          key.id,
          sent.client.id,
          sent.client.mode,
          sent.role,
          sent.scopes?.join(","),
          challenge.ts,
          "secret",
          challenge.nonce,
          ...(version === "v3" ? [sent.client.platform, sent.client.deviceFamily] : [])
        ].join("|")
        assert.isTrue(isSignatureOf(deviceOf(sent).signature, payload))
      })
  )
})
