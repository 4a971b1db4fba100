import { assert, describe, it } from "@effect/vitest"
import {
  canonicalKey,
  modelOf,
  sessionInfo,
  statusInfo
} from "../../../../src/services/gateway/sessions/sessionRules.ts"

const defaults = { modelProvider: "p", model: "usual", thinkingDefault: "low" }
const key = "agent:main:x"

describe("sessionInfo", () => {
  it("takes the session's own model and level", () => {
    const row = { key, modelProvider: "q", model: "own", thinkingLevel: "high", thinkingDefault: "low" }
    assert.deepStrictEqual(
      sessionInfo(key, { defaults, sessions: [{ ...row, key: `${key}y`, model: "no" }, row] }, {}),
      {
        model: "q/own",
        thinking: "high"
      }
    )
  })

  it("takes the level in force from an older gateway's history, and the row from a newer one's", () => {
    const row = { key, modelProvider: "q", model: "own" }
    assert.strictEqual(sessionInfo(key, { defaults, sessions: [row] }, { thinkingLevel: "medium" })?.thinking, "medium")
    const sessionInfoRow = { modelProvider: "q", model: "own", thinkingDefault: "max" }
    assert.deepStrictEqual(sessionInfo(key, { defaults, sessions: [] }, { sessionInfo: sessionInfoRow }), {
      model: "q/own",
      thinking: "max"
    })
  })

  it("takes the gateway's defaults for a session that does not exist, and no thinking where none is named", () => {
    assert.deepStrictEqual(sessionInfo(key, { defaults, sessions: [] }, undefined), {
      model: "p/usual",
      thinking: "low"
    })
    assert.deepStrictEqual(sessionInfo(key, { defaults: { model: "bare" }, sessions: [] }, undefined), {
      model: "bare",
      thinking: "off"
    })
    assert.isUndefined(sessionInfo(key, { sessions: [{ key }] }, {}))
  })

  it("knows the main session by its short name", () => {
    const sessions = [{ key: "agent:main:main", modelProvider: "q", model: "own" }]
    assert.strictEqual(sessionInfo("main", { defaults, sessions }, undefined)?.model, "q/own")
    assert.strictEqual(canonicalKey("agent:other:main"), "agent:other:main")
  })
})

describe("modelOf", () => {
  it("names the provider once", () => {
    assert.strictEqual(modelOf({ modelProvider: "p", model: "p/a" }), "p/a")
    assert.strictEqual(modelOf({ modelProvider: "p", model: "x/a" }), "p/x/a")
    assert.strictEqual(modelOf({ model: "a" }), "a")
    assert.isUndefined(modelOf({ modelProvider: "p", model: "" }))
  })
})

describe("statusInfo", () => {
  it("reads the prose of both generations", () => {
    const old = "🧠 Model: mock/mock-think · 🔑 api-key\n⚙️ Runtime: direct · Think: off · elevated"
    const current = "🧠 Model: mock/mock-think · pinned session\n🎛️ Modes: think medium · fast off"
    assert.deepStrictEqual(statusInfo(old), { model: "mock/mock-think", thinking: "off" })
    assert.deepStrictEqual(statusInfo(current), { model: "mock/mock-think", thinking: "medium" })
    assert.isUndefined(statusInfo("nothing of use"))
  })
})
