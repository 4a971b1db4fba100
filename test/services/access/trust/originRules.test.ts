import { assert, it } from "@effect/vitest"
import {
  type OriginPolicy,
  ownOrigins,
  refuseForeign,
  refuseRequest,
  refuseUpgrade
} from "../../../../src/services/access/trust/originRules.ts"

const policy = (overrides: Partial<OriginPolicy> = {}): OriginPolicy => ({
  allowedOrigins: new Set([...ownOrigins(3080, 3443), "https://console.example"]),
  host: "127.0.0.1",
  authEnabled: false,
  ...overrides
})
const LOCAL = { host: "127.0.0.1:3080" }

it("the console's own origins follow both ports, standard ports unwritten", () => {
  assert.deepStrictEqual(ownOrigins(3080, 3443), [
    "http://localhost:3080",
    "https://localhost:3443",
    "http://127.0.0.1:3080",
    "https://127.0.0.1:3443"
  ])
  assert.include(ownOrigins(80, 443), "http://localhost")
})

it("a change from a foreign origin or another site's page is refused, reading is not", () => {
  assert.strictEqual(refuseRequest("POST", { ...LOCAL, origin: "https://evil.example" }, policy()), "cross_site")
  assert.strictEqual(refuseRequest("DELETE", { ...LOCAL, origin: "null" }, policy()), "cross_site")
  assert.strictEqual(refuseRequest("PUT", { ...LOCAL, "sec-fetch-site": "cross-site" }, policy()), "cross_site")
  assert.strictEqual(refuseRequest("GET", { ...LOCAL, origin: "https://evil.example" }, policy()), undefined)
  assert.strictEqual(refuseRequest("POST", { ...LOCAL, origin: "http://localhost:3080" }, policy()), undefined)
  assert.strictEqual(refuseRequest("POST", { ...LOCAL, origin: "https://console.example" }, policy()), undefined)
  assert.strictEqual(refuseRequest("POST", LOCAL, policy()), undefined)
  assert.strictEqual(refuseRequest("PUT", { ...LOCAL, "sec-fetch-site": "same-site" }, policy()), "cross_site")
  assert.strictEqual(refuseRequest("OPTIONS", { ...LOCAL, origin: "https://evil.example" }, policy()), undefined)
})

it("what a page of another origin asks is refused whatever it is, unless it names an allowed origin", () => {
  for (const site of ["cross-site", "same-site"]) {
    const from = (origin?: string) => ({ ...LOCAL, "sec-fetch-site": site, origin })
    assert.strictEqual(refuseForeign(from(), policy()), "cross_site", site)
    assert.strictEqual(refuseForeign(from("null"), policy()), "cross_site", site)
    assert.strictEqual(refuseForeign(from("http://localhost:9999"), policy()), "cross_site", site)
    assert.strictEqual(refuseForeign(from("http://localhost:3080"), policy()), undefined, site)
    assert.strictEqual(refuseRequest("POST", from("http://localhost:3080"), policy()), undefined, site)
    assert.strictEqual(refuseRequest("OPTIONS", from("https://evil.example"), policy()), "cross_site", site)
  }
  for (const site of [undefined, "none", "same-origin"]) {
    assert.strictEqual(refuseForeign({ ...LOCAL, "sec-fetch-site": site }, policy()), undefined, site)
  }
})

it("an upgrade follows the rule of changes", () => {
  assert.strictEqual(refuseUpgrade({ ...LOCAL, origin: "https://evil.example" }, policy()), "cross_site")
  assert.strictEqual(refuseUpgrade(LOCAL, policy()), undefined)
})

it("while auth is off, only this console's own host names are answered", () => {
  const refused = (host: string | undefined, overrides: Partial<OriginPolicy> = {}) =>
    refuseRequest("GET", { host }, policy(overrides))
  for (const host of [
    "localhost",
    "LOCALHOST:3080",
    "127.0.0.1:9",
    "127.1.2.3",
    "[::1]:3080",
    "a.localhost",
    "console.example"
  ]) {
    assert.strictEqual(refused(host), undefined, host)
  }
  for (const host of [
    "evil.example",
    "127.0.0.1.evil.example",
    "192.168.1.5:3080",
    "",
    "a b",
    "x@localhost",
    undefined
  ]) {
    assert.strictEqual(refused(host), "unknown_host", String(host))
  }
  assert.strictEqual(refused("192.168.1.5:3080", { host: "192.168.1.5" }), undefined)
  assert.strictEqual(refused("[fd00::1]:3080", { host: "fd00::1" }), undefined)
  assert.strictEqual(refused("evil.example", { authEnabled: true }), undefined)
})

it("a console on every address answers to any address in digits, which rebinding cannot forge", () => {
  const open = policy({ host: "0.0.0.0" })
  assert.strictEqual(refuseRequest("GET", { host: "192.168.1.5:3080" }, open), undefined)
  assert.strictEqual(refuseRequest("GET", { host: "evil.example:3080" }, open), "unknown_host")
})
