import { assert, it } from "@effect/vitest"
import { isOnThisMachine, mayReach } from "../../../../src/services/platform/outgoing/OutgoingHttp.ts"

it("the demo reaches only its own machine, whatever an address looks like", () => {
  for (const address of [
    "http://localhost:8000/v1",
    "https://LOCALHOST",
    "ws://127.0.0.1:1",
    "http://127.1.2.3",
    "http://[::1]:5",
    "http://voices.localhost/x"
  ]) {
    assert.isTrue(isOnThisMachine(address), address)
    assert.isTrue(mayReach({ isDemo: true }, address), address)
  }
  for (const address of [
    "",
    "localhost",
    "https://api.openai.com/v1",
    "http://localhost.example.com",
    "http://127.0.0.1.example.com",
    "http://127.0.0.1@example.com",
    "http://192.168.1.5",
    "http://[::2]",
    "http://0.0.0.0.nip.io"
  ]) {
    assert.isFalse(isOnThisMachine(address), address)
    assert.isFalse(mayReach({ isDemo: true }, address), address)
    assert.isTrue(mayReach({ isDemo: false }, address), address)
  }
})
