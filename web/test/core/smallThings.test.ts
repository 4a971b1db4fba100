import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { closeRefusal, connectRefusal } from "../../src/core/connectRefusal.ts"
import { createDrafts } from "../../src/core/DraftStore.ts"
import { memoryStorage } from "../../src/core/memoryStorage.ts"
import { runErrorSentence } from "../../src/core/runError.ts"
import { createSettings } from "../../src/core/SettingsStore.ts"

const full = {
  ...memoryStorage(),
  setItem: () => {
    throw new Error("full")
  }
}

describe("drafts", () => {
  it("survive a reload, one per session, and go when they are sent", () => {
    const storage = memoryStorage()
    const drafts = createDrafts(storage)
    drafts.set("a", "for a")
    drafts.set("b", "for b")
    drafts.set("b", "")
    const reloaded = createDrafts(storage)
    assert.deepStrictEqual([reloaded.get("a"), reloaded.get("b")], ["for a", ""])
  })

  it("are bounded in number and size, the newest stay, and a full storage loses nothing in the page", () => {
    const storage = memoryStorage()
    const drafts = createDrafts(storage)
    for (let index = 0; index < 60; index++) drafts.set(`s${index}`, "x")
    assert.deepStrictEqual([createDrafts(storage).get("s9"), createDrafts(storage).get("s10")], ["", "x"])
    drafts.set("big", "y".repeat(400_000))
    drafts.set("bigger", "z".repeat(400_000))
    assert.deepStrictEqual(
      [createDrafts(storage).get("big").length, createDrafts(storage).get("bigger").length],
      [0, 400_000]
    )
    const unsaved = createDrafts(full)
    unsaved.set("a", "kept")
    assert.strictEqual(unsaved.get("a"), "kept")
  })

  it.each(["", "{", "5", '[["a"],[1,2],null]'])("a damaged storage (%s) is an empty one", (text) => {
    const storage = memoryStorage()
    storage.setItem("agent-console:drafts", text)
    assert.strictEqual(createDrafts(storage).get("a"), "")
  })
})

describe("settings", () => {
  it("survive a reload; what is damaged falls back", () => {
    const storage = memoryStorage()
    createSettings(storage).update({ theme: "dark", sendKey: "mod-enter" })
    assert.deepInclude(createSettings(storage).state.get(), {
      theme: "dark",
      sendKey: "mod-enter",
      density: "comfortable"
    })
    storage.setItem("agent-console:settings", '{"theme":"pink","sendKey":5}')
    assert.deepStrictEqual(createSettings(storage).state.get(), {
      theme: "system",
      density: "comfortable",
      textSize: "normal",
      motion: "system",
      sendKey: "enter",
      notifications: "off",
      sound: "off"
    })
    const unsaved = createSettings(full)
    unsaved.update({ theme: "light" })
    assert.strictEqual(unsaved.state.get().theme, "light")
  })
})

describe("sentences", () => {
  it.prop("of a run never hold the provider's words", [Schema.String], ([raw]) => {
    const sentence = runErrorSentence(`HTTP 400: <<${raw}>> sk-123 /home/me`)
    assert.notInclude(sentence, "sk-123")
    assert.notInclude(sentence, "/home/me")
    assert.match(sentence, /\.$/)
  })

  it("both generations' words for one failure give one sentence", () => {
    const old = runErrorSentence("HTTP 400: mock error 400")
    assert.strictEqual(
      runErrorSentence("LLM request failed: provider rejected the request schema or tool payload."),
      old
    )
    assert.strictEqual(runErrorSentence("⚠️ LLM request failed (request format rejected, HTTP 400)."), old)
    assert.match(runErrorSentence(null), /log says why/)
  })

  it.each([
    [4001, "device removed", /removed this console/],
    [1008, "Target not allowed", /WS_ALLOWED_HOSTS/],
    [1008, "unauthorized: device token mismatch", /refused this console/],
    [1012, "service restart", /restarting/],
    [1009, "", /larger than the gateway/]
  ])("close %i %s", (code, reason, sentence) => {
    assert.match(closeRefusal(code, reason)?.message ?? "", sentence)
  })

  it("other closes are plain breaks, and odd refusals have a sentence", () => {
    assert.isNull(closeRefusal(1006, ""))
    assert.isNull(closeRefusal(1008, "slow consumer"))
    for (const odd of [null, 5, {}, { details: 5 }]) assert.strictEqual(connectRefusal(odd).action, "stop")
    assert.match(connectRefusal({ message: "protocol mismatch" }).message, /protocol version/)
  })
})
