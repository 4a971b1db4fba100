import { assert, it } from "@effect/vitest"
import {
  canonicalAddress,
  clientAddress,
  countedAs,
  isLocalRequest,
  usesHttps
} from "../../../../src/services/access/trust/clientAddress.ts"

const proxies = new Set(["127.0.0.1", "::1", "10.0.0.9"])
const at = (peer: string | undefined, headers: Record<string, string> = {}) => clientAddress({ peer, headers }, proxies)

it("one address has one spelling", () => {
  const spellings: ReadonlyArray<readonly [string, string | undefined]> = [
    ["127.0.0.1", "127.0.0.1"],
    ["::ffff:127.0.0.1", "127.0.0.1"],
    ["::FFFF:7f00:1", "127.0.0.1"],
    [" 1.2.3.4:55 ", "1.2.3.4"],
    ["[2001:DB8::0:1]:443", "2001:db8::1"],
    ["fe80::1%eth0", "fe80::1"],
    ["999.1.1.1", undefined],
    ["unknown", undefined],
    ["", undefined]
  ]
  for (const [text, expected] of spellings) assert.strictEqual(canonicalAddress(text), expected, text)
})

it("limits count a /64 of IPv6 as one client, IPv4 as itself, and every spelling alike", () => {
  const counted = (text: string) => countedAs(canonicalAddress(text) ?? "unknown")
  const network = "2001:db8:1:2::/64"
  for (const text of [
    "2001:db8:1:2::1",
    "2001:DB8:1:2:ffff:ffff:ffff:ffff",
    "2001:0db8:0001:0002:0000:0000:0000:0009",
    "[2001:db8:1:2::a]",
    "[2001:db8:1:2::a]:443",
    "2001:db8:1:2::b%eth0",
    " [2001:db8:1:2::c%25eth1]:80 ",
    "2001:db8:1:2::10.0.0.1"
  ])
    assert.strictEqual(counted(text), network, text)
  for (const text of [
    "192.0.2.7",
    "192.0.2.7:1234",
    "::ffff:192.0.2.7",
    "::ffff:192.0.2.7:1234",
    "[::FFFF:c000:0207]:80",
    "0:0:0:0:0:ffff:192.0.2.7",
    "64:ff9b::192.0.2.7",
    "2002:c000:207::1",
    "2002:c000:207:ffff::1"
  ])
    assert.strictEqual(counted(text), "192.0.2.7", text)
  assert.notStrictEqual(counted("2001:db8:1:3::1"), network)
  assert.notStrictEqual(counted("::1"), counted("127.0.0.1"))
  assert.strictEqual(counted("unknown"), "unknown")
})

it("forwarded headers of an untrusted peer count for nothing", () => {
  assert.strictEqual(at("8.8.8.8", { "x-forwarded-for": "1.1.1.1", "x-real-ip": "2.2.2.2" }), "8.8.8.8")
})

it("the walk goes from the right and stops at the first address that is no proxy", () => {
  assert.strictEqual(at("::ffff:127.0.0.1", { "x-forwarded-for": "6.6.6.6, 1.1.1.1, 10.0.0.9" }), "1.1.1.1")
  assert.strictEqual(at("127.0.0.1", { "x-forwarded-for": "127.0.0.1, 1.1.1.1" }), "1.1.1.1")
  assert.strictEqual(at("127.0.0.1", { "x-forwarded-for": "10.0.0.9" }), "10.0.0.9")
})

it("X-Real-IP counts under the same condition, after X-Forwarded-For", () => {
  assert.strictEqual(at("127.0.0.1", { "x-real-ip": "3.3.3.3" }), "3.3.3.3")
  assert.strictEqual(at("127.0.0.1", { "x-real-ip": "3.3.3.3", "x-forwarded-for": "4.4.4.4" }), "4.4.4.4")
})

it("an address that cannot be read is unknown, never the proxy's own", () => {
  assert.strictEqual(at("127.0.0.1", { "x-forwarded-for": "127.0.0.1, garbage" }), "unknown")
  assert.strictEqual(at("127.0.0.1", { "x-real-ip": "" }), "unknown")
  assert.strictEqual(at(undefined), "unknown")
})

it("local is a loopback socket without a foreign proxy", () => {
  const local = (peer: string, headers: Record<string, string>, trusted = proxies) =>
    isLocalRequest({ peer, headers }, trusted)
  assert.isTrue(local("127.0.0.1", {}))
  assert.isTrue(local("::1", {}))
  assert.isTrue(local("::ffff:127.0.0.1", { "x-forwarded-for": "127.0.0.1" }))
  assert.isFalse(local("8.8.8.8", {}))
  assert.isFalse(local("8.8.8.8", { "x-forwarded-for": "127.0.0.1" }))
  assert.isFalse(local("127.0.0.1", { "x-forwarded-for": "8.8.8.8" }))
  assert.isFalse(local("127.0.0.1", { "x-forwarded-for": "unknown" }))
  assert.isFalse(local("127.0.0.1", { "x-forwarded-for": "127.0.0.1" }, new Set(["10.0.0.9"])))
  assert.isFalse(local("127.0.0.1", { forwarded: "for=8.8.8.8" }))
  assert.isFalse(local("127.0.0.1", { "x-forwarded-host": "console.example" }))
})

it("HTTPS is what this connection is, or what a trusted proxy says that the client's first one was", () => {
  const https = (peer: string, headers: Record<string, string>, isEncrypted = false) =>
    usesHttps({ peer, isEncrypted, headers }, proxies)
  assert.isTrue(https("8.8.8.8", {}, true))
  assert.isTrue(https("8.8.8.8", { "x-forwarded-proto": "http" }, true))
  assert.isFalse(https("127.0.0.1", {}))
  assert.isFalse(https("8.8.8.8", { "x-forwarded-proto": "https" }))
  for (const proto of ["https", "HTTPS", "https, http", " https ,http", "https,https"])
    assert.isTrue(https("127.0.0.1", { "x-forwarded-proto": proto }), proto)
  for (const proto of ["http", "http, https", "", ",https", "wss", "https2"])
    assert.isFalse(https("127.0.0.1", { "x-forwarded-proto": proto }), proto)
  for (const name of ["x-forwarded-ssl", "front-end-https", "x-url-scheme", "forwarded", "x-forwarded-scheme"])
    assert.isFalse(https("127.0.0.1", { [name]: "https", forwarded: "proto=https" }), name)
})
