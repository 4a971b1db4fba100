import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, PubSub, Redacted, Schema, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { type PracticeGatewayOptions, practiceGateway } from "../../../../practice-gateway/older/practiceGateway.ts"
import { EmbeddedGateway } from "../../../../practice-gateway/src/EmbeddedGateway.ts"
import { GatewayClient } from "../../../../src/services/gateway/client/GatewayClient.ts"
import { APPROVAL_POLL_MS } from "../../../../src/services/gateway/client/reconnectRules.ts"
import type { EventBus } from "../../../../src/services/platform/events/EventBus.ts"
import { clientLayer, connected, statusWhere } from "../../../support/liveClient.ts"

const Sessions = Schema.Struct({ sessions: Schema.Array(Schema.Struct({ key: Schema.String })) })

const Linked = (options: PracticeGatewayOptions) =>
  Layer.unwrap(
    Effect.map(EmbeddedGateway, ({ url, token }) => clientLayer({ url, token: Redacted.value(token) }))
  ).pipe(Layer.provideMerge(practiceGateway(options)), Layer.provide(Logger.layer([])))

const against = <A, E>(
  options: PracticeGatewayOptions,
  test: Effect.Effect<A, E, GatewayClient | EmbeddedGateway | EventBus | Scope.Scope>
) => Effect.provide(test, Linked(options))

/** More than the first two waits, and less than an attempt may take. */
const WAIT = "2500 millis"
const lost = statusWhere((status) => status.gateway === "unreachable")

for (const generation of ["new", "old"] as const) {
  describe(`the client and a gateway of the ${generation} generation`, () => {
    it.effect("link up with every scope and talk", () =>
      against(
        { generation },
        Effect.gen(function* () {
          const client = yield* GatewayClient
          const { sessions } = yield* client.request("sessions.list", {}, Sessions)
          assert.isArray(sessions)
          const connection = yield* client.connection
          assert.strictEqual(connection?.protocol, generation === "new" ? 4 : 3)
          assert.includeMembers([...(connection?.scopes ?? [])], ["operator.admin", "operator.write"])
        })
      )
    )

    it.effect("come together again after a restart and after a cut", () =>
      against(
        { generation },
        Effect.gen(function* () {
          const client = yield* GatewayClient
          const { control } = yield* EmbeddedGateway
          yield* connected
          yield* control.stop
          yield* lost
          yield* control.start
          yield* TestClock.adjust(WAIT)
          yield* connected
          yield* control.dropConnections
          yield* lost
          yield* TestClock.adjust(WAIT)
          yield* connected
          yield* client.request("sessions.list", {}, Sessions)
        })
      )
    )

    it.effect("agree on the older signature where the newer one does not count", () =>
      against(
        { generation },
        Effect.gen(function* () {
          const client = yield* GatewayClient
          const { control } = yield* EmbeddedGateway
          yield* connected
          yield* control.setSignatures(["v2"])
          yield* control.dropConnections
          yield* lost
          yield* TestClock.adjust(WAIT)
          yield* connected
          assert.isNotEmpty((yield* client.connection)?.scopes)
        })
      )
    )

    it.effect("stay linked without scopes until the device is approved, and get them then", () =>
      against(
        { generation, deviceApproval: "manual" },
        Effect.gen(function* () {
          const client = yield* GatewayClient
          const { control } = yield* EmbeddedGateway
          const { approval, reason } = yield* statusWhere((status) => status.gateway === "ok")
          assert.include(reason ?? "", `openclaw devices approve ${approval?.requestId}`)
          const error = yield* Effect.flip(client.request("sessions.list", {}, Sessions))
          assert.strictEqual(error.reason, "not_approved")
          assert.deepStrictEqual((yield* client.connection)?.scopes, [])
          assert.strictEqual(yield* control.approveDevices, 1)
          yield* TestClock.adjust(APPROVAL_POLL_MS)
          yield* connected
          yield* client.request("sessions.list", {}, Sessions)
        })
      )
    )

    it.effect("stay linked through a flood and through garbage", () =>
      against(
        { generation },
        Effect.gen(function* () {
          const client = yield* GatewayClient
          const { control } = yield* EmbeddedGateway
          yield* connected
          const events = yield* client.events
          for (const text of ["", "{", "null", '{"type":"res"}', "\u0000"]) yield* control.sendText(text)
          yield* control.flood({ frames: 5000, bytes: 2000 })
          yield* control.emit("flood.over", {})
          yield* client.request("sessions.list", {}, Sessions)
          while ((yield* PubSub.take(events)).event !== "flood.over");
          assert.strictEqual((yield* client.status).gateway, "ok")
        })
      )
    )
  })
}
