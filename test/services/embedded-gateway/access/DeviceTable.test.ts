import { assert, describe, it } from "@effect/vitest"
import {
  decidePairing,
  missingScopes,
  type PairedDevice
} from "../../../../src/services/embedded-gateway/access/DeviceTable.ts"
import {
  isAllowedOrigin,
  isLocalPeer,
  upgradeFacts
} from "../../../../src/services/embedded-gateway/access/upgradeFacts.ts"
import type { ConnectRequest } from "../../../../src/services/embedded-gateway/wire/frames.ts"

const request = (changes: Partial<ConnectRequest["client"]> = {}, scopes = ["operator.read"]): ConnectRequest => ({
  minProtocol: 3,
  maxProtocol: 4,
  client: { id: "gateway-client", version: "1", platform: "linux", mode: "ui", ...changes },
  scopes
})

const known: PairedDevice = {
  deviceId: "d",
  publicKey: "k",
  platform: "linux",
  deviceFamily: "console",
  clientId: "gateway-client",
  clientMode: "ui",
  displayName: undefined,
  role: "operator",
  scopes: ["operator.read"],
  token: "t",
  createdAtMs: 1,
  approvedAtMs: 1
}

const decide = (input: Partial<Parameters<typeof decidePairing>[0]>) =>
  decidePairing({ known, request: request({ deviceFamily: "console" }), local: true, policy: "auto", ...input })

describe("decidePairing", () => {
  it("pairs new devices silently on a local connection only", () => {
    assert.deepStrictEqual(decide({ known: undefined }), { kind: "pair" })
    assert.deepStrictEqual(decide({ known: undefined, local: false }), { kind: "refuse", reason: "not-paired" })
    assert.deepStrictEqual(decide({ known: undefined, policy: "manual" }), { kind: "refuse", reason: "not-paired" })
  })

  it("a changed platform or family is refused on loopback too", () => {
    const changed = { kind: "refuse", reason: "metadata-upgrade" } as const
    assert.deepStrictEqual(decide({ request: request({ platform: "MacIntel", deviceFamily: "console" }) }), changed)
    assert.deepStrictEqual(decide({ request: request({ deviceFamily: "phone" }) }), changed)
  })

  it("wider scopes need a local connection, fewer are fine", () => {
    const wider = request({ deviceFamily: "console" }, ["operator.read", "operator.admin"])
    assert.deepStrictEqual(decide({ request: wider }), { kind: "widen" })
    assert.deepStrictEqual(decide({ request: wider, local: false }), { kind: "refuse", reason: "scope-upgrade" })
    assert.deepStrictEqual(decide({ request: request({ deviceFamily: "console" }, []) }), { kind: "paired" })
  })

  it("refuses everybody when told to", () => {
    assert.deepStrictEqual(decide({ policy: "refuse" }), { kind: "refuse", reason: "not-paired" })
  })

  it("admin covers every scope", () => {
    assert.deepStrictEqual(missingScopes(["operator.admin"], ["operator.write", "operator.pairing"]), [])
    assert.deepStrictEqual(missingScopes(["operator.read"], ["operator.read", "operator.write"]), ["operator.write"])
  })
})

describe("upgradeFacts", () => {
  it("forwarded headers and foreign hosts make a connection remote", () => {
    assert.isTrue(isLocalPeer(upgradeFacts({ host: "127.0.0.1:4000", cookie: "a=b" })))
    assert.isTrue(isLocalPeer(upgradeFacts({ host: "[::1]:4000" })))
    assert.isFalse(isLocalPeer(upgradeFacts({ host: "console.example" })))
    for (const header of ["x-forwarded-for", "x-real-ip", "forwarded", "x-forwarded-host"])
      assert.isFalse(isLocalPeer(upgradeFacts({ host: "localhost", [header]: "192.0.2.1" })))
  })

  it("allows its own origin and loopback ones", () => {
    const allowed = (origin: string) => isAllowedOrigin(upgradeFacts({ host: "127.0.0.1:4000", origin }))
    assert.isTrue(allowed("http://127.0.0.1:4000"))
    assert.isTrue(allowed("http://localhost:3080"))
    assert.isFalse(allowed("https://console.example"))
    assert.isFalse(allowed("null"))
  })
})
