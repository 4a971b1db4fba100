import { readFileSync } from "node:fs"
import { assert, inject, it } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import { signDevice } from "../../src/services/gateway/device/connectSignature.ts"
import { decodeDeviceKey } from "../../src/services/gateway/device/deviceKey.ts"
import { serveProxy } from "../support/serveApp.ts"
import { openProxy, type Peer, wsClient } from "../support/sockets.ts"
import { describeOn } from "./support/describeOn.ts"

const SCOPES = ["operator.admin", "operator.read", "operator.write"]

const Challenge = Schema.Struct({
  event: Schema.Literal("connect.challenge"),
  payload: Schema.Struct({ nonce: Schema.String, ts: Schema.Finite })
})
const Answer = Schema.Struct({
  ok: Schema.Boolean,
  payload: Schema.optionalKey(
    Schema.Struct({ auth: Schema.optionalKey(Schema.Struct({ scopes: Schema.Array(Schema.String) })) })
  ),
  error: Schema.optionalKey(Schema.Struct({ details: Schema.Struct({ code: Schema.String }) }))
})

const clientOf = (platform: string, deviceFamily?: string) => ({
  id: "gateway-client",
  version: "1.0.0",
  platform,
  mode: "ui",
  ...(deviceFamily === undefined ? {} : { deviceFamily })
})

/** Sends `connect` after the challenge, as a page does, and gives the answer. */
const connect = Effect.fnUntraced(function* (
  peer: Peer,
  client: object,
  more: (challenge: typeof Challenge.Type.payload) => object = () => ({})
) {
  const { payload } = yield* Schema.decodeUnknownEffect(Challenge)(yield* peer.nextJson)
  const params = { minProtocol: 3, maxProtocol: 4, client, role: "operator", scopes: SCOPES, ...more(payload) }
  yield* peer.send({ type: "req", id: "1", method: "connect", params })
  for (;;) {
    const frame = yield* peer.nextJson
    if (frame.id === "1") return yield* Schema.decodeUnknownEffect(Answer)(frame)
  }
})

for (const gateway of inject("gateways")) {
  describeOn(gateway)(`the proxy in front of gateway ${gateway.version}`, () => {
    const proxied = serveProxy({ gatewayUrl: gateway.url, gatewayToken: Redacted.make(gateway.token) })

    it.live("lends one device to browsers of every platform", () =>
      Effect.gen(function* () {
        const { port } = yield* proxied
        for (const client of [clientOf("MacIntel"), clientOf("Win32", "Desktop"), clientOf("iPhone", "Phone")]) {
          const answer = yield* connect(yield* openProxy(port), client)
          assert.isTrue(answer.ok)
          assert.includeMembers([...(answer.payload?.auth?.scopes ?? [])], SCOPES)
        }
      })
    )

    it.live("gets in without the device when the gateway has pinned it to something else, with no rights", () =>
      Effect.gen(function* () {
        const { port, settings } = yield* proxied
        const key = decodeDeviceKey(readFileSync(`${settings.svcHome}/device-identity.json`, "utf8"))
        if (key === undefined) return assert.fail("the identity file cannot be read")
        const pinned = clientOf("another platform")
        const direct = yield* wsClient(gateway.url.replace("http", "ws"))
        const paired = yield* connect(direct, pinned, ({ nonce, ts }) => ({
          auth: { token: gateway.token },
          device: signDevice("v3", key, {
            clientId: pinned.id,
            clientMode: pinned.mode,
            role: "operator",
            scopes: SCOPES,
            signedAt: ts,
            token: gateway.token,
            nonce,
            platform: pinned.platform,
            deviceFamily: ""
          })
        }))
        assert.isTrue(paired.ok)

        const page = yield* openProxy(port)
        const answer = yield* connect(page, clientOf("MacIntel"))
        assert.isTrue(answer.ok)
        assert.isEmpty(answer.payload?.auth?.scopes ?? [])
      })
    )

    it.live("passes on that the token is wrong", () =>
      Effect.gen(function* () {
        const { port } = yield* serveProxy({ gatewayUrl: gateway.url, gatewayToken: Redacted.make("wrong") })
        const page = yield* openProxy(port)
        const answer = yield* connect(page, clientOf("MacIntel"))
        assert.strictEqual(answer.error?.details.code, "AUTH_TOKEN_MISMATCH")
        const { code, reason } = yield* page.closed
        assert.strictEqual(code, 1008)
        assert.include(reason, "gateway token mismatch")
      })
    )
  })
}
