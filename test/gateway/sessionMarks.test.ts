import { randomUUID } from "node:crypto"
import { assert, inject, it } from "@effect/vitest"
import { Effect, Schedule, Schema } from "effect"
import { GatewayClient } from "../../src/services/gateway/client/GatewayClient.ts"
import { clientLayer, connected } from "../support/liveClient.ts"
import { consoleFor } from "./support/consoleFor.ts"
import { describeOn } from "./support/describeOn.ts"
import { runTurn } from "./support/runTurn.ts"

const PATH = "/api/sessions/marks"
const Rows = Schema.Struct({ sessions: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)) })

for (const gateway of inject("gateways")) {
  const isNew = gateway.version === "2026.9.6"

  describeOn(gateway)(`marks of sessions on gateway ${gateway.version}`, () => {
    it.live("are kept by the gateway if it can, else by the console, and a message brings back what was archived", () =>
      Effect.gen(function* () {
        yield* connected
        const client = yield* GatewayClient
        const send = yield* consoleFor({ GATEWAY_URL: gateway.url, GATEWAY_TOKEN: gateway.token })
        const sessionKey = `agent:main:dashboard:${randomUUID()}`
        const row = Effect.fnUntraced(function* (more: object = {}) {
          const { sessions } = yield* client.request("sessions.list", { limit: 100, ...more }, Rows)
          return sessions.find(({ key }) => key === sessionKey)
        })
        const mark = Effect.fnUntraced(function* (change: object) {
          const answer = yield* send("PATCH", PATH, { sessionKey, ...change })
          assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
          return answer.body
        })
        yield* runTurn(sessionKey, "hello there")
        // The row has the run's sums a moment after its last event.
        const before = yield* row().pipe(
          Effect.repeat({ schedule: Schedule.spaced("200 millis"), until: (found) => found?.status === "done" }),
          Effect.timeout("30 seconds")
        )
        const none = { sessionKey, pinned: false, archivedAt: null, group: null, seenAt: 0 }

        const kept = yield* mark({ pinned: true, group: "Work", seenAt: 5 })
        if (isNew) {
          assert.deepStrictEqual(kept, { ...none, pinned: true, group: "Work", seenAt: 5, keptBy: "gateway" })
          assert.deepInclude(yield* row(), { pinned: true, category: "Work", unread: false })
          // Marks are no activity.
          for (const field of ["lastInteractionAt", "endedAt"])
            assert.strictEqual((yield* row())?.[field], before?.[field], field)
        } else {
          assert.deepStrictEqual(kept, { ...none, pinned: true, group: "Work", seenAt: 5 })
          assert.deepStrictEqual(yield* row(), before)
        }

        yield* mark({ archivedAt: Date.now() })
        assert.strictEqual((yield* row()) === undefined, isNew)
        if (isNew) assert.deepInclude(yield* row({ archived: true }), { archived: true, pinned: false })
        const message = { id: randomUUID(), sessionKey, text: "back again", mode: "next" }
        assert.isBelow((yield* send("POST", "/api/outbox", message)).status, 300)
        const back = yield* row().pipe(
          Effect.repeat({
            schedule: Schedule.spaced("200 millis"),
            until: (found) => found !== undefined && found.status === "done" && found.endedAt !== before?.endedAt
          }),
          Effect.timeout("30 seconds")
        )
        if (isNew) assert.deepInclude(back, { archived: false, unread: true, category: "Work" })
        yield* client.request("sessions.delete", { key: sessionKey }, Schema.Unknown)
      }).pipe(Effect.provide(clientLayer(gateway)), Effect.scoped)
    )
  })
}
