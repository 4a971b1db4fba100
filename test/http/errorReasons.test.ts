import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { englishSentence as english } from "../../src/contract/failures.ts"
import { makeGatewayApp, makeJsonApp } from "../support/gatewayApp.ts"

const UUID = "11111111-1111-4111-8111-111111111111"

describe("an error body", () => {
  it.effect.each([
    ["board", "POST", "/api/kanban/tasks", { title: 7 }, "MUST_BE_TEXT"],
    ["board", "POST", "/api/kanban/tasks", {}, "REQUIRED"],
    ["board", "POST", "/api/kanban/tasks", { title: "a", priority: "soon" }, "MUST_BE_ONE_OF"],
    ["board", "POST", "/api/kanban/tasks", [], "BODY_MUST_BE_AN_OBJECT"],
    ["board", "POST", "/api/kanban/proposals", { type: "create", payload: { title: 7 } }, "MUST_BE_TEXT"],
    ["inbox", "POST", "/api/inbox/none/resolve", { action: "allow" }, "ITEM_NOT_FOUND"],
    ["outbox", "POST", "/api/outbox", { id: UUID, sessionKey: "main", text: "", mode: "next" }, "EMPTY_MESSAGE"],
    ["outbox", "DELETE", `/api/outbox/${UUID}`, undefined, "MESSAGE_NOT_FOUND"],
    ["push", "DELETE", "/api/push/subscriptions/none", undefined, "PUSH_DEVICE_NOT_FOUND"],
    ["gateways", "DELETE", "/api/gateways/primary", undefined, "PRIMARY_GATEWAY"],
    ["gateways", "POST", "/api/gateways", { id: "A B", name: "x", url: "http://a" }, "MUST_BE_A_GATEWAY_ID"],
    ["access", "DELETE", "/api/mcp/tokens/none", undefined, "TOKEN_NOT_FOUND"],
    ["search", "GET", "/api/search?q=%20", undefined, "ENTER_A_WORD"],
    ["knowledge", "GET", "/api/files/read?path=../x", undefined, "OUTSIDE_THE_FOLDER"],
    ["voice", "PUT", "/api/transcribe/config", { model: "none" }, "MUST_BE_ONE_OF"]
  ] as const)("says why as a code, too: %s %s %s", ([, method, path, body, code]) =>
    Effect.gen(function* () {
      const app = yield* makeJsonApp()
      const answer = yield* app.send(method, path, body)
      assert.isAtLeast(answer.status, 400, JSON.stringify(answer.body))
      assert.isString(answer.body.details, JSON.stringify(answer.body))
      assert.strictEqual(answer.body.why?.code, code, JSON.stringify(answer.body))
      assert.strictEqual(english(answer.body.why), answer.body.details)
    })
  )

  it.effect("says so of a gateway's refusal, with the field and the value", () =>
    Effect.gen(function* () {
      const app = yield* makeGatewayApp({ generation: "new" })
      const change = { sessionKey: "main", thinkingLevel: "enormous" }
      const { body } = yield* app.send("POST", "/api/gateway/session-patch", change)
      assert.strictEqual(body.why?.values?.field, "thinkingLevel", JSON.stringify(body))
      assert.strictEqual(english(body.why), body.details)
    })
  )

  it.effect("isn't the only answer that does: checks and limits do, too", () =>
    Effect.gen(function* () {
      const app = yield* makeJsonApp()
      const { body } = yield* app.send("GET", "/api/agent-a-limits")
      assert.strictEqual(english(body.why), body.error)
      const { checks } = (yield* app.send("GET", "/api/doctor")).body
      const token = checks.find(({ id }: { readonly id: string }) => id === "token")
      assert.strictEqual(english(token.why), token.detail)
    })
  )
})
