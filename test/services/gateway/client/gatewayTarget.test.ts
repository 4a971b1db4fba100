import { assert, it } from "@effect/vitest"
import { gatewaySocketUrl, isOfficialGateway } from "../../../../src/services/gateway/client/gatewayTarget.ts"

it("the official gateway is the configured host and port, loopback names being one host", () => {
  const official = (target: string, gateway: string) => isOfficialGateway(new URL(target), gateway)
  assert.isTrue(official("ws://localhost:18789/", "http://127.0.0.1:18789"))
  assert.isTrue(official("ws://[::1]:18789", "http://localhost:18789"))
  assert.isTrue(official("wss://gw.example/", "https://gw.example"))
  assert.isFalse(official("ws://127.0.0.1:18790", "http://127.0.0.1:18789"))
  assert.isFalse(official("ws://gw.example:18789", "http://127.0.0.1:18789"))
})

it("the socket address of a gateway is its origin over ws or wss", () => {
  assert.strictEqual(gatewaySocketUrl("http://127.0.0.1:18789"), "ws://127.0.0.1:18789")
  assert.strictEqual(gatewaySocketUrl("https://gw.example"), "wss://gw.example")
})
