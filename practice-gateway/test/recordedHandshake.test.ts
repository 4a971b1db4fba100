import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { type LinkOptions, newDevice, openLink } from "../../test/support/gatewayLink.ts"
import recorded from "../../test/support/recorded/facts.json" with { type: "json" }
import { practiceGateway } from "../older/practiceGateway.ts"
import { EmbeddedGateway } from "../src/EmbeddedGateway.ts"
import { operator } from "./operator.ts"
import { assertKeys } from "./recordedKeys.ts"

type Refusals = typeof recorded.new.refused

/** How each recorded refusal was provoked. */
const ATTEMPTS: Readonly<Record<keyof Refusals, (token: string) => LinkOptions>> = {
  "wrong token": () => ({ token: "wrong", device: newDevice() }),
  "no token, device": () => ({ device: newDevice() }),
  "no token, no device": () => ({}),
  "unknown client id": (token) => ({ token, device: newDevice(), client: { id: "my-console" } }),
  "protocol too new": (token) => ({ token, device: newDevice(), minProtocol: 99, maxProtocol: 99 }),
  "wrong nonce": (token) => ({ token, device: newDevice(), tamper: (device) => ({ ...device, nonce: "x" }) }),
  "stale signature": (token) => ({
    token,
    device: newDevice(),
    tamper: (device) => ({ ...device, signedAt: Number(device.signedAt) - 600_000 })
  }),
  "bad signature": (token) => ({ token, device: newDevice(), extra: { scopes: ["operator.other"] } }),
  "device id mismatch": (token) => ({ token, device: newDevice(), tamper: (device) => ({ ...device, id: "abc" }) }),
  "bad device token": () => ({ device: newDevice(), extra: { auth: { deviceToken: "wrong" } } })
}

const isRefusal = (name: string): name is keyof Refusals => name in ATTEMPTS

for (const generation of ["old", "new"] as const) {
  const facts = recorded[generation]
  const layer = practiceGateway({ generation, tokenMs: 0 })

  describe(`the handshake of the ${generation} generation, beside the recorded one`, () => {
    it.live("challenge and hello-ok have the recorded fields", () =>
      Effect.gen(function* () {
        const { link, hello } = yield* operator()
        const challenge = link.frames.find((frame) => frame.event === "connect.challenge")
        assertKeys(challenge?.payload, facts.handshake.challenge)
        const ownPages = ["controlUiWidgetKinds", "controlUiLinkReaders", "pluginSurfaceUrls", "canvasHostUrl"]
        assertKeys(hello.payload, facts.handshake.hello, { without: ownPages })
        assertKeys(hello.payload?.server, facts.handshake.server)
        assertKeys(hello.payload?.snapshot, facts.handshake.snapshot)
        assertKeys(hello.payload?.auth, facts.handshake.auth)
        assertKeys(hello.payload?.policy, facts.handshake.policy)
      }).pipe(Effect.provide(layer))
    )

    for (const [name, expected] of Object.entries(facts.refused))
      it.live(`refuses as recorded: ${name}`, () =>
        Effect.gen(function* () {
          const gateway = yield* EmbeddedGateway
          const link = yield* openLink(gateway.wsUrl)
          const attempt = isRefusal(name) ? ATTEMPTS[name](Redacted.value(gateway.token)) : {}
          const answer = yield* link.connect(attempt)
          const closed = yield* link.closed
          assert.deepStrictEqual(
            { ...answer.error, close: closed.code, reason: closed.reason },
            { ...expected, reason: expected.reason.slice(0, 120) }
          )
        }).pipe(Effect.provide(layer))
      )

    it.live("lets a token without a device in with no scopes", () =>
      Effect.gen(function* () {
        const gateway = yield* EmbeddedGateway
        const link = yield* openLink(gateway.wsUrl)
        const hello = yield* link.connect({ token: Redacted.value(gateway.token), scopes: ["operator.read"] })
        assertKeys(hello.payload?.auth ?? null, facts.withoutDevice.auth ?? undefined)
        const status = yield* link.request("status")
        assert.deepEqual<unknown>(status.error, facts.withoutDevice.status)
      }).pipe(Effect.provide(layer))
    )

    it.effect("ticks every thirty seconds", () =>
      Effect.gen(function* () {
        const { link } = yield* operator()
        yield* TestClock.adjust("29 seconds")
        yield* link.call("status")
        assert.isUndefined(link.frames.find((frame) => frame.event === "tick"))
        yield* TestClock.adjust("1 second")
        const tick = yield* link.waitFor((frame) => frame.event === "tick")
        assertKeys(tick, facts.tick.frame)
        assertKeys(tick.payload, facts.tick.payload)
      }).pipe(Effect.provide(layer))
    )
  })
}
