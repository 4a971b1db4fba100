import { assert, it } from "@effect/vitest"
import {
  addressForGateway,
  isPlain,
  originsOf,
  parseGatewayUrl,
  parseLanguage,
  parseOrigins,
  parsePort
} from "../../../../src/services/machine/setup/Questions.ts"

it("addresses are taken as people type them", () => {
  assert.strictEqual(parseGatewayUrl("192.168.1.20:18789"), "http://192.168.1.20:18789")
  assert.strictEqual(parseGatewayUrl("https://gw.example.org/path"), "https://gw.example.org")
  assert.strictEqual(parseGatewayUrl("ws://127.0.0.1:18789"), "http://127.0.0.1:18789")
  assert.strictEqual(parseGatewayUrl("wss://gw.example.org"), "https://gw.example.org")
  for (const text of ["", "ftp://x", "http://", "a b"]) assert.isUndefined(parseGatewayUrl(text), text)
  assert.strictEqual(parseOrigins("http://a:1, b:2  https://c"), "http://a:1,http://b:2,https://c")
  assert.strictEqual(parseOrigins(""), "")
  assert.isUndefined(parseOrigins("http://a, ::"))
})

it("ports and languages that are none are not taken", () => {
  assert.strictEqual(parsePort("3080"), 3080)
  for (const text of ["0", "65536", "-1", "many", "3080.5", ""]) assert.isUndefined(parsePort(text), text)
  assert.strictEqual(parseLanguage("DE"), "de")
  assert.strictEqual(parseLanguage("en-GB"), "en")
  assert.isUndefined(parseLanguage("tlh"))
})

it("only values that mean the same with and without quotes are written as they are", () => {
  for (const value of ["abc-123_DEF", "a.b~c+d/e=", "http://x:1,http://y:2"]) assert.isTrue(isPlain(value), value)
  for (const value of ["a b", "a#b", "a'b", 'a"b', "a$b", "a\\b", "a`b", "a\nb"]) assert.isFalse(isPlain(value), value)
})

it("other devices open the addresses of the network cards, not those of the machine itself", () => {
  const cards = [
    { address: "127.0.0.1", family: "IPv4", internal: true },
    { address: "192.168.1.5", family: "IPv4", internal: false },
    { address: "fe80::1", family: "IPv6", internal: false }
  ]
  assert.deepStrictEqual(originsOf(cards, 3080), ["http://192.168.1.5:3080"])
  assert.deepStrictEqual(originsOf(cards, 80), ["http://192.168.1.5"])
})

it("a gateway reaches the console on its own machine, or in the network if others may", () => {
  const network = [
    { address: "127.0.0.1", family: "IPv4", internal: true },
    { address: "192.168.1.5", family: "IPv4", internal: false }
  ]
  const from = (gateway: string, host: string) =>
    addressForGateway({ gatewayUrl: `http://${gateway}:18789`, host, port: 3080 }, network)
  assert.strictEqual(from("127.0.0.1", "127.0.0.1"), "http://127.0.0.1:3080")
  assert.strictEqual(from("localhost", "0.0.0.0"), "http://127.0.0.1:3080")
  assert.strictEqual(from("gw.example.org", "0.0.0.0"), "http://192.168.1.5:3080")
  assert.strictEqual(from("gw.example.org", "192.168.1.7"), "http://192.168.1.7:3080")
  assert.isUndefined(from("gw.example.org", "127.0.0.1"))
})
