import { assert, describe, it } from "@effect/vitest"
import { mayInject, resolveTarget } from "../../../../src/http/gateway/proxy/targetPolicy.ts"

const policy = { gatewayUrl: "http://127.0.0.1:18789", allowedHosts: ["localhost", "127.0.0.1", "::1", "box.lan"] }

describe("the gateway is recognised by host and port", () => {
  const cases: ReadonlyArray<readonly [string | undefined, boolean]> = [
    [undefined, true],
    ["ws://127.0.0.1:18789", true],
    ["ws://localhost:18789/", true],
    ["ws://[::1]:18789/any/path?q", true],
    ["WS://LOCALHOST:18789", true],
    ["ws://127.0.0.1:18790", false],
    ["ws://127.0.0.1", false],
    ["ws://box.lan:18789", false]
  ]
  for (const [target, isGateway] of cases) {
    it(`${target}: ${isGateway}`, () => assert.strictEqual(resolveTarget(target, policy)?.isGateway, isGateway))
  }

  it("with the scheme's own port when none is written", () => {
    const secure = { ...policy, gatewayUrl: "https://box.lan" }
    assert.isTrue(resolveTarget("wss://box.lan:443", secure)?.isGateway)
    assert.isFalse(resolveTarget("ws://box.lan", secure)?.isGateway)
    assert.strictEqual(resolveTarget(undefined, secure)?.url.href, "wss://box.lan/")
  })
})

it("the configured gateway needs no entry of its own, another port of its host does", () => {
  const remote = { ...policy, gatewayUrl: "http://gateway.lan:18789" }
  assert.isTrue(resolveTarget("ws://gateway.lan:18789", remote)?.isGateway)
  assert.isUndefined(resolveTarget("ws://gateway.lan:18790", remote))
})

it("credentials are put in only when every condition holds", () => {
  const all = { isGateway: true, hasToken: true, isTrusted: true, isAllowedOrigin: true }
  assert.isTrue(mayInject(all))
  assert.isFalse(mayInject({ ...all, isGateway: false }))
  assert.isFalse(mayInject({ ...all, hasToken: false }))
  assert.isFalse(mayInject({ ...all, isTrusted: false }))
  assert.isFalse(mayInject({ ...all, isAllowedOrigin: false }))
})
