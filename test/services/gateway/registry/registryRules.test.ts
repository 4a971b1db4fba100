import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { added, changed, found, MOST_GATEWAYS } from "../../../../src/services/gateway/registry/registryRules.ts"

const primary = { name: "Gateway", url: "http://127.0.0.1:18789" }
const home = { id: "home", name: "Home", url: "http://home.example:18789", token: "of-home" }
const work = { id: "work", name: "Work", url: "https://work.example", token: "of-work" }
const entries = [home, work]

const reasonOf = <A, E extends { readonly _tag: string }>(result: Result.Result<A, E>) =>
  Result.isFailure(result) ? result.failure : result.success

describe("adding a gateway", () => {
  it("gives it an id, and keeps its origin", () => {
    const input = { name: "Rented", url: "wss://rented.example:8443/", token: "t" }
    assert.deepStrictEqual(Result.getOrThrow(added(entries, primary, input)), {
      id: "rented",
      name: "Rented",
      url: "https://rented.example:8443",
      token: "t"
    })
    assert.strictEqual(Result.getOrThrow(added(entries, primary, { ...input, name: "Work" })).id, "work-2")
    assert.strictEqual(Result.getOrThrow(added(entries, primary, { ...input, name: "Primary" })).id, "primary-2")
  })

  it("refuses a known id and a known place, however it's written", () => {
    const input = { name: "Other", url: "http://other.example", token: "t" }
    for (const id of ["home", "primary"]) {
      assert.deepInclude(reasonOf(added(entries, primary, { ...input, id })), { _tag: "GatewayKnown", what: "id" })
    }
    for (const url of [
      "http://localhost:18789",
      "ws://[::1]:18789",
      "wss://127.1.2.3:18789",
      "ws://HOME.example:18789",
      "wss://work.example:443"
    ]) {
      const refused = reasonOf(added(entries, primary, { ...input, url }))
      assert.deepInclude(refused, { _tag: "GatewayKnown", what: "address" }, url)
    }
  })

  it("has a limit", () => {
    const many = Array.from({ length: MOST_GATEWAYS }, (_, index) => ({
      ...home,
      id: `g${index}`,
      url: `http://g${index}`
    }))
    const refused = reasonOf(added(many, primary, { name: "More", url: "http://more.example", token: "t" }))
    assert.deepInclude(refused, { _tag: "TooManyGateways" })
  })
})

describe("changing a gateway", () => {
  it("keeps the token while host and port stay", () => {
    assert.deepStrictEqual(Result.getOrThrow(changed(entries, primary, "home", { name: "House" })), {
      ...home,
      name: "House"
    })
    const again = changed(entries, primary, "home", { url: "ws://home.example:18789" })
    assert.deepStrictEqual(Result.getOrThrow(again), home)
  })

  it("never takes the token to another host, port or scheme", () => {
    for (const url of [
      "http://elsewhere.example:18789",
      "http://home.example:18790",
      "https://home.example:18789",
      "http://home.example"
    ]) {
      assert.deepInclude(reasonOf(changed(entries, primary, "home", { url })), { _tag: "TokenNeeded" }, url)
      const moved = changed(entries, primary, "home", { url, token: "new" })
      assert.strictEqual(Result.getOrThrow(moved).token, "new")
    }
  })

  it("refuses another one's place, the primary and who isn't there", () => {
    const there = changed(entries, primary, "home", { url: "https://work.example", token: "t" })
    assert.deepInclude(reasonOf(there), { _tag: "GatewayKnown", name: "Work" })
    assert.deepInclude(reasonOf(changed(entries, primary, "primary", { name: "x" })), { _tag: "PrimaryGateway" })
    assert.deepInclude(reasonOf(changed(entries, primary, "nobody", { name: "x" })), { _tag: "UnknownGateway" })
    assert.deepInclude(reasonOf(found(entries, "primary")), { _tag: "PrimaryGateway" })
  })
})
