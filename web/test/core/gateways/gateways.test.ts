import { assert, it } from "@effect/vitest"
import { pathAt } from "../../../src/core/client/clientAt.ts"
import { readGateways } from "../../../src/core/gateways/GatewaysStore.ts"
import { markOf } from "../../../src/core/gateways/gatewayMark.ts"
import { approvalCommand, needsToken, stateText, stateTone } from "../../../src/core/gateways/gatewayText.ts"

it("marks a gateway with its letter and a colour, and none while it's the only one", () => {
  const all = [
    { id: "primary", name: "Home" },
    { id: "work", name: "ölwerk" }
  ]
  assert.deepStrictEqual(markOf(all, "work"), { name: "ölwerk", letter: "Ö", colour: 1 })
  assert.isNull(markOf(all, "gone"))
  assert.isNull(markOf([], "primary"))
  assert.isNull(markOf(null, "primary"))
})

it("wants the token for another host or port, and not for another way to write the same", () => {
  assert.isTrue(needsToken("http://a:1", "http://b:1"))
  assert.isTrue(needsToken("http://a:1", "http://a:2"))
  assert.isFalse(needsToken("http://a:1", "ws://a:1/"))
})

it("says the state of a gateway, and the command that its device waits for", () => {
  const pending = { state: "refused", device: "pending", requestId: "r-1" } as const
  assert.strictEqual(stateText(pending), "Waits for approval")
  assert.strictEqual(stateTone(pending), "is-warning")
  assert.strictEqual(approvalCommand(pending), "openclaw devices approve r-1")
  assert.isNull(approvalCommand({ device: "approved", requestId: null }))
  assert.strictEqual(stateText({ state: "unreachable", device: "unknown" }), "Can't be reached")
  assert.strictEqual(stateTone({ state: "unreachable", device: "unknown" }), "is-failed")
})

it("asks about one gateway where that can be asked", () => {
  assert.strictEqual(pathAt("/api/crons", "work"), "/api/crons?gateway=work")
  assert.strictEqual(pathAt("/api/tokens/history?group=day", "work"), "/api/tokens/history?group=day&gateway=work")
  assert.strictEqual(pathAt("/api/kanban/tasks", "work"), "/api/kanban/tasks")
})

it("shows what is left out of an answer as unknown", () => {
  assert.deepStrictEqual(
    readGateways({
      gateways: [
        {
          id: "work",
          name: "Work",
          url: "http://a:1",
          primary: false,
          local: true,
          state: "ok",
          since: 5,
          device: "approved"
        }
      ]
    }),
    [
      {
        id: "work",
        name: "Work",
        url: "http://a:1",
        isPrimary: false,
        isLocal: true,
        state: "ok",
        reason: null,
        protocol: null,
        device: "approved",
        requestId: null
      }
    ]
  )
})
