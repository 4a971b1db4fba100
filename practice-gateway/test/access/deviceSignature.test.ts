import { assert, describe, it } from "@effect/vitest"
import { vectorDevice } from "../../../test/support/gatewayLink.ts"
import { deviceIdOf, rawPublicKey, signedText, verifiedVersion } from "../../src/access/deviceSignature.ts"
import type { ConnectRequest } from "../../src/wire/frames.ts"

const NONCE = "11111111-2222-3333-4444-555555555555"
const SIGNATURE = "DWYN3rrzMQZTSccwfR9LaXLfm8LkU4AU7kwxt5Lo03oxKM5R_HxSzFSdzw7O14YunGcZPSwYUajwixmXynchBA"

/** The protocol's own test vector. */
const vector: ConnectRequest = {
  minProtocol: 3,
  maxProtocol: 4,
  client: { id: "gateway-client", version: "1.0.0", platform: "Linux", mode: "ui" },
  role: "operator",
  scopes: ["operator.read", "operator.write"],
  auth: { token: "test-token" },
  device: {
    id: "34750f98bd59fcfc946da45aaabe933be154a4b5094e1c4abf42866505f3c97e",
    publicKey: "iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w",
    signature: SIGNATURE,
    signedAt: 1_700_000_000_000,
    nonce: NONCE
  }
}

describe("device signatures", () => {
  it("the test vector is accepted as v3", () => {
    assert.strictEqual(verifiedVersion(vector, NONCE, ["v3", "v2"]), "v3")
    assert.strictEqual(
      signedText(vector, NONCE, "v3"),
      `v3|${vector.device?.id}|gateway-client|ui|operator|operator.read,operator.write|1700000000000|test-token|${NONCE}|linux|`
    )
  })

  it("v3 does not count where only v2 does, and any changed field spoils it", () => {
    assert.isUndefined(verifiedVersion(vector, NONCE, ["v2"]))
    assert.isUndefined(verifiedVersion({ ...vector, scopes: ["operator.read"] }, NONCE, ["v3", "v2"]))
    assert.isUndefined(verifiedVersion({ ...vector, auth: { token: "other" } }, NONCE, ["v3", "v2"]))
    assert.isUndefined(verifiedVersion(vector, "another nonce", ["v3", "v2"]))
  })

  it("the public key is read from base64url, base64 and PEM, and names the device", () => {
    const raw = rawPublicKey(vector.device?.publicKey ?? "")
    const pem = `-----BEGIN PUBLIC KEY-----\n${Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), raw ?? Buffer.alloc(0)]).toString("base64")}\n-----END PUBLIC KEY-----\n`
    assert.strictEqual(deviceIdOf(raw ?? Buffer.alloc(0)), vector.device?.id)
    assert.deepStrictEqual(rawPublicKey(raw?.toString("base64") ?? ""), raw)
    assert.deepStrictEqual(rawPublicKey(pem), raw)
    assert.strictEqual(vectorDevice().id, vector.device?.id)
    for (const damaged of ["", "short", "-----BEGIN PUBLIC KEY-----\nnothing\n-----END PUBLIC KEY-----"])
      assert.isUndefined(rawPublicKey(damaged))
  })
})
