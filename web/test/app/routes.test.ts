import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { chatPath, matchRoute } from "../../src/app/routes.ts"

describe("matchRoute", () => {
  it.prop("finds the session of every key again", [Schema.NonEmptyString], ([sessionKey]) => {
    if (!sessionKey.isWellFormed()) return
    assert.deepStrictEqual(matchRoute(chatPath(sessionKey)), { screen: "chat", sessionKey })
  })

  it("keeps the colons of session keys readable", () => {
    assert.strictEqual(chatPath("agent:main:main"), "/chat/agent:main:main")
  })

  it("opens the chat at the root and nothing at unknown or damaged addresses", () => {
    assert.deepStrictEqual(matchRoute("/"), { screen: "chat", sessionKey: null })
    assert.deepStrictEqual(matchRoute("/nowhere"), { screen: "unknown" })
    assert.deepStrictEqual(matchRoute("/chat/%E0%A4%A"), { screen: "unknown" })
  })
})
