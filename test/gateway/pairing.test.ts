import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { assert, inject, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { GatewayClient } from "../../src/services/gateway/client/GatewayClient.ts"
import { clientLayer, connected, statusWhere } from "../support/liveClient.ts"
import { describeOn } from "./support/describeOn.ts"
import { MANUAL_PAIRING, startGateway } from "./support/realGateway.ts"

const execute = promisify(execFile)

/** Only the newer generation can be configured to require approval on loopback. */
for (const offered of inject("gateways")) {
  const { version } = offered
  const lacks = version.startsWith("2026.3") ? "this generation can't be told to ask on loopback" : undefined
  describeOn(offered, lacks)(`gateway ${version} that approves no device by itself`, () => {
    it.live("the console falls back to the token, shows the command, and gets its scopes once that has run", () =>
      Effect.gen(function* () {
        const gateway = yield* startGateway({ version, extra: MANUAL_PAIRING })
        yield* Effect.gen(function* () {
          const client = yield* GatewayClient
          const { reason } = yield* statusWhere((status) => status.gateway === "ok")
          const requestId = /openclaw devices approve ([\w.-]+)/.exec(reason ?? "")?.[1] ?? ""
          assert.isNotEmpty(requestId)
          assert.deepStrictEqual((yield* client.connection)?.scopes, [])
          const error = yield* Effect.flip(client.request("sessions.list", {}, Schema.Unknown))
          assert.strictEqual(error.reason, "not_approved")
          assert.include(error.message, requestId)

          yield* Effect.promise(() => execute(gateway.cli, ["devices", "approve", requestId]))
          yield* connected
          yield* client.request("sessions.list", {}, Schema.Unknown)
        }).pipe(Effect.provide(clientLayer(gateway)))
      }).pipe(Effect.scoped)
    )
  })
}
