import { assert, inject, it } from "@effect/vitest"
import { Effect, Exit, Schema, Scope } from "effect"
import { GatewayClient } from "../../src/services/gateway/client/GatewayClient.ts"
import { generateDeviceKey } from "../../src/services/gateway/device/deviceKey.ts"
import { freePort } from "../support/freePort.ts"
import { clientLayer, connected, statusWhere } from "../support/liveClient.ts"
import { describeOn } from "./support/describeOn.ts"
import { startGateway } from "./support/realGateway.ts"
import { temporaryDirectory } from "./support/temporaryDirectory.ts"

for (const offered of inject("gateways")) {
  const { version } = offered
  describeOn(offered)(`gateway ${version} that comes, goes and comes back`, () => {
    it.live("the link follows it without help", () =>
      Effect.gen(function* () {
        const options = {
          version,
          home: yield* temporaryDirectory,
          port: yield* Effect.promise(freePort),
          token: "restart-token"
        }
        const url = `http://127.0.0.1:${options.port}`
        yield* Effect.gen(function* () {
          const client = yield* GatewayClient
          yield* statusWhere(({ reason }) => reason?.startsWith("No gateway is listening") === true)

          const first = yield* Scope.make()
          yield* startGateway(options).pipe(Scope.provide(first))
          yield* connected
          const since = (yield* client.status).since
          yield* Scope.close(first, Exit.void)
          const gone = yield* statusWhere((status) => status.gateway === "unreachable")
          assert.isAbove(gone.since, since)
          assert.strictEqual((yield* Effect.flip(client.request("health", {}, Schema.Unknown))).reason, "unreachable")
          assert.strictEqual(yield* client.gatewayStartedAt, undefined)

          yield* startGateway(options)
          yield* connected
          yield* client.request("sessions.list", {}, Schema.Unknown)
        }).pipe(Effect.provide(clientLayer({ url, token: options.token }, generateDeviceKey())))
      }).pipe(Effect.scoped)
    )
  })
}
