import { assert, describe, it } from "@effect/vitest"
import { closeRefusal, connectRefusal } from "../../../src/core/link/GatewayCallError.ts"

describe("a refused connection", () => {
  it("has a sentence however odd it is, and the console's own close has one too", () => {
    for (const odd of [null, 5, {}, { details: 5 }]) {
      assert.strictEqual(connectRefusal(odd).kind, "denied")
      assert.match(connectRefusal(odd).failure.message, /see its log/)
    }
    assert.match(connectRefusal({ message: "protocol mismatch" }).failure.message, /different protocol versions/)
    assert.match(closeRefusal(1008, "Target not allowed")?.failure.message ?? "", /WS_ALLOWED_HOSTS/)
    assert.strictEqual(closeRefusal(1008, "unauthorized: device token mismatch")?.kind, "device")
    assert.isNull(closeRefusal(1006, ""))
  })
})
