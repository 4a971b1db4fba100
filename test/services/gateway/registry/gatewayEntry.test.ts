import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import {
  AddGateway,
  gatewayOrigin,
  idFrom,
  isLocal,
  isSamePlace
} from "../../../../src/services/gateway/registry/gatewayEntry.ts"

describe("an address", () => {
  it("is an origin, however its scheme is written", () => {
    for (const [address, origin] of [
      ["http://host:18789", "http://host:18789"],
      ["ws://host:18789/", "http://host:18789"],
      ["wss://Host.Example", "https://host.example"],
      ["wss://host:443", "https://host"],
      ["WS://host:80", "http://host"],
      [" https://[::1]:8443 ", "https://[::1]:8443"]
    ] as const) {
      assert.strictEqual(gatewayOrigin(address), origin, address)
    }
  })

  it("has no other scheme, no path, no query and no credentials", () => {
    for (const address of [
      "",
      "host:18789",
      "ftp://host",
      "file:///etc/passwd",
      "javascript:alert(1)",
      "http://",
      "http://host/path",
      "http://host?x=1",
      "http://host#x",
      "http://user:pass@host",
      "http://user@host",
      "http://host:0",
      "http://host:99999"
    ]) {
      assert.isUndefined(gatewayOrigin(address), address)
    }
  })
})

it("every name of this machine is one place, and so are http and https of one port", () => {
  const same = [
    "http://localhost:18789",
    "http://localhost.:18789",
    "http://agent.localhost:18789",
    "http://127.0.0.1:18789",
    "http://127.9.8.7:18789",
    "http://[::1]:18789",
    "http://[::ffff:127.0.0.1]:18789",
    "https://127.0.0.1:18789"
  ].map((address) => gatewayOrigin(address) ?? "")
  for (const one of same) {
    assert.isTrue(isSamePlace(one, same[0] ?? ""), one)
    assert.isTrue(isLocal(one), one)
  }
  for (const other of ["http://127.0.0.1:18790", "http://128.0.0.1:18789", "http://localhost.example:18789"]) {
    assert.isFalse(isSamePlace(other, same[0] ?? ""), other)
  }
  assert.isTrue(isSamePlace("http://host.example", "http://host.example.:80"))
  assert.isFalse(isSamePlace("http://host.example", "https://host.example"))
})

describe("an id", () => {
  const free = () => false

  it("comes from the name, in letters that an address can carry", () => {
    assert.strictEqual(idFrom("Home", free), "home")
    assert.strictEqual(idFrom("  Büro am Müggelsee! ", free), "bu-ro-am-mu-ggelsee")
    assert.strictEqual(idFrom("会社", free), "gateway")
    assert.match(idFrom("x".repeat(500), free), /^[a-z0-9-]{1,64}$/)
  })

  it("is one that nobody has", () => {
    const taken = new Set(["home", "home-2"])
    assert.strictEqual(
      idFrom("Home", (id) => taken.has(id)),
      "home-3"
    )
  })
})

it("what is no gateway is refused where it comes in", () => {
  const decode = Schema.decodeUnknownOption(AddGateway)
  const good = { name: "Home", url: "http://host:1", token: "secret" }
  assert.deepStrictEqual(Option.getOrUndefined(decode({ ...good, name: " Home " })), good)
  for (const bad of [
    { ...good, name: " " },
    { ...good, name: "two\nlines" },
    { ...good, name: "x".repeat(81) },
    { ...good, id: "Home" },
    { ...good, id: "" },
    { ...good, id: "x".repeat(65) },
    { ...good, id: "../up" },
    { ...good, token: "" },
    { ...good, token: "two words" },
    { ...good, token: "line\r\nbreak" },
    { ...good, url: "host" },
    { name: "Home", url: "http://host:1" }
  ]) {
    assert.isTrue(Option.isNone(decode(bad)), JSON.stringify(bad))
  }
})
