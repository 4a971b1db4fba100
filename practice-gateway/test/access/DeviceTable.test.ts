import { assert, describe, it } from "@effect/vitest"
import type { GenerationName } from "../../older/practiceGateway.ts"
import { DeviceTable, decidePairing, missingScopes, type PairedDevice } from "../../src/access/DeviceTable.ts"
import { isAllowedOrigin, isLocalPeer, upgradeFacts } from "../../src/access/upgradeFacts.ts"
import type { ConnectRequest } from "../../src/wire/frames.ts"

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

  it("refuses everybody on request", () => {
    assert.deepStrictEqual(decide({ policy: "refuse" }), { kind: "refuse", reason: "not-paired" })
  })

  it("admin covers every scope", () => {
    assert.deepStrictEqual(missingScopes(["operator.admin"], ["operator.write", "operator.pairing"]), [])
    assert.deepStrictEqual(missingScopes(["operator.read"], ["operator.read", "operator.write"]), ["operator.write"])
  })
})

describe("requests for approval", () => {
  const device = { id: "d", publicKey: "k", signature: "s", signedAt: 1, nonce: "n" }
  const asking = (scopes: ReadonlyArray<string>): ConnectRequest => ({ ...request({}, [...scopes]), device })
  const MINUTE = 60_000

  const table = (generation: GenerationName) => {
    const devices = new DeviceTable("manual", generation === "old")
    let ids = 0
    const ask = (scopes: ReadonlyArray<string>, now: number) => {
      const asked = devices.ask(asking(scopes), now, () => `r-${++ids}`)
      return `${asked?.created === true ? "new" : "same"} ${asked?.request.requestId}`
    }
    return { devices, ask }
  }

  for (const generation of ["old", "new"] as const) {
    it(`${generation}: there is one for each device, and asking renews it`, () => {
      const { ask, devices } = table(generation)
      assert.strictEqual(ask(["operator.read"], 0), "new r-1")
      for (let minute = 4; minute < 40; minute += 4)
        assert.strictEqual(ask(["operator.read"], minute * MINUTE), "same r-1")
      assert.strictEqual(devices.pending.size, 1)
      assert.isDefined(devices.approve("r-1", 41 * MINUTE, () => "t"))
    })

    it(`${generation}: one that nobody renewed for five minutes is forgotten`, () => {
      const { ask, devices } = table(generation)
      ask(["operator.read"], 0)
      assert.isUndefined(devices.approve("r-1", 5 * MINUTE + 1, () => "t"))
      assert.strictEqual(ask(["operator.read"], 6 * MINUTE), "new r-2")
    })

    it(`${generation}: asking for more makes a new one for all that was asked`, () => {
      const { ask, devices } = table(generation)
      ask(["operator.read"], 0)
      assert.strictEqual(ask(["operator.write"], 1), "new r-2")
      assert.deepStrictEqual(devices.pending.get("r-2")?.scopes, ["operator.read", "operator.write"])
      assert.strictEqual(devices.pending.size, 1)
    })
  }

  it("asking for less makes a new one in the older generation only", () => {
    const all = ["operator.admin", "operator.read"]
    const [older, newer] = [table("old"), table("new")]
    for (const { ask } of [older, newer]) ask(all, 0)
    assert.strictEqual(older.ask(["operator.read"], 1), "new r-2")
    assert.strictEqual(newer.ask(["operator.read"], 1), "same r-1")
  })
})

describe("upgradeFacts", () => {
  it("forwarded headers make a connection remote, and where the host is checked foreign hosts do", () => {
    for (const checksHost of [true, false]) {
      assert.isTrue(isLocalPeer(upgradeFacts({ host: "127.0.0.1:4000", cookie: "a=b" }), checksHost))
      assert.isTrue(isLocalPeer(upgradeFacts({ host: "[::1]:4000" }), checksHost))
      for (const host of ["console.example", "0.0.0.0:4000"])
        assert.strictEqual(isLocalPeer(upgradeFacts({ host }), checksHost), !checksHost)
      for (const header of ["x-forwarded-for", "x-real-ip", "forwarded", "x-forwarded-host"])
        assert.isFalse(isLocalPeer(upgradeFacts({ host: "localhost", [header]: "192.0.2.1" }), checksHost))
    }
  })

  it("allows its own origin and loopback ones", () => {
    const allowed = (origin: string) => isAllowedOrigin(upgradeFacts({ host: "127.0.0.1:4000", origin }))
    assert.isTrue(allowed("http://127.0.0.1:4000"))
    assert.isTrue(allowed("http://localhost:3080"))
    assert.isFalse(allowed("https://console.example"))
    assert.isFalse(allowed("null"))
  })
})
