import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { GatewayClient } from "../../src/services/gateway/client/GatewayClient.ts"
import { clientLayer, connected, statusWhere } from "../support/liveClient.ts"
import { startGateway } from "./support/realGateway.ts"

const execute = promisify(execFile)

/** Only the newer generation can be told to ask for an approval on loopback. */
describe("gateway 2026.9.6 that approves no device by itself", () => {
  it.live("the console falls back to the token, tells the command, and gets its scopes once that has run", () =>
    Effect.gen(function* () {
      const gateway = yield* startGateway({ version: "2026.9.6", extra: ["--manual-pairing"] })
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
