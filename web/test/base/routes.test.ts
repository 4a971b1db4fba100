import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { addressedSession, chatPath, matchRoute, type Screen, type ScreenName } from "../../src/base/routes.ts"

const screen = (name: ScreenName, prefix: string): Screen => ({
  name,
  prefix,
  label: name,
  jump: "x"
})
const address = (pathname: string, search = "") => ({ pathname, search })

const SCREENS = [screen("chat", "/chat"), screen("board", "/work"), screen("knowledge", "/work/plans")]
const match = (pathname: string, search = "") => {
  const route = matchRoute(address(pathname, search), SCREENS)
  return { screen: route.screen?.name ?? null, segments: route.segments, query: route.query.toString() }
}

describe("matchRoute", () => {
  it("carries the decoded parts after the prefix, and the query", () => {
    assert.deepStrictEqual(match("/work/a%2Fb/c", "?q=1&r=x"), {
      screen: "board",
      segments: ["a/b", "c"],
      query: "q=1&r=x"
    })
    assert.deepStrictEqual(match("/work/"), { screen: "board", segments: [], query: "" })
  })

  it("takes the longest prefix, and whole parts only", () => {
    assert.strictEqual(match("/work/plans/7").screen, "knowledge")
    assert.strictEqual(match("/work/planset").screen, "board")
    assert.strictEqual(match("/workshop").screen, null)
  })

  it("opens the first screen at the root and nothing at unknown or damaged addresses", () => {
    assert.deepStrictEqual(match("/"), { screen: "chat", segments: [], query: "" })
    assert.strictEqual(match("/nowhere").screen, null)
    assert.strictEqual(match("/chat/%E0%A4%A").screen, null)
  })
})

describe("the chat's addresses", () => {
  it.prop("find the session of every key again", [Schema.NonEmptyString], ([sessionKey]) => {
    if (!sessionKey.isWellFormed()) return
    assert.strictEqual(addressedSession(address(chatPath(sessionKey))), sessionKey)
  })

  it("keep the colons of session keys readable", () => {
    assert.strictEqual(chatPath("agent:main:main"), "/chat/agent:main:main")
  })

  it("name no session at the root, and are none elsewhere", () => {
    assert.isNull(addressedSession(address("/")))
    assert.isUndefined(addressedSession(address("/nowhere")))
  })
})
