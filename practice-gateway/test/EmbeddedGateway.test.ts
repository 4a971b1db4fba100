import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { newDevice, openLink } from "../../test/support/gatewayLink.ts"
import { practiceGateway } from "../older/practiceGateway.ts"
import { EmbeddedGateway } from "../src/EmbeddedGateway.ts"

/** A connected operator on a gateway that streams without pauses. */
const operator = Effect.gen(function* () {
  const gateway = yield* EmbeddedGateway
  const link = yield* openLink(gateway.wsUrl)
  const hello = yield* link.connect({ token: Redacted.value(gateway.token), device: newDevice() })
  assert.isTrue(hello.ok, JSON.stringify(hello.error))
  return { gateway, link, hello }
})

for (const generation of ["old", "new"] as const) {
  const Fast = practiceGateway({ generation, tokenMs: 0 })

  describe(`the ${generation} generation`, () => {
    it.live("lets a signed device in and streams an answer that the history keeps", () =>
      Effect.gen(function* () {
        const { link, hello } = yield* operator
        assert.strictEqual(hello.payload?.protocol, generation === "old" ? 3 : 4)
        const list = yield* link.call("sessions.list")
        assert.isAtLeast(Number(list.count), 3)
        const sent = yield* link.call("chat.send", {
          sessionKey: "main",
          message: "good evening",
          idempotencyKey: "turn-1"
        })
        assert.deepStrictEqual(sent, { runId: "turn-1", status: "started" })
        const final = yield* link.waitFor((frame) => frame.event === "chat" && frame.payload?.state === "final")
        assert.include(JSON.stringify(final.payload?.message), "good evening")
        const history = yield* link.call("chat.history", { sessionKey: "main" })
        assert.include(JSON.stringify(history.messages), "You said: “good evening”")
      }).pipe(Effect.provide(Fast))
    )
  })
}
