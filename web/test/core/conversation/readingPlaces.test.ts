import { assert, describe, it } from "@effect/vitest"
import type { ChatItem, ChatState } from "../../../src/core/conversation/chatTypes.ts"
import {
  itemAt,
  keepReadingPlace,
  newSince,
  placeOf,
  readingPlace
} from "../../../src/core/conversation/readingPlaces.ts"
import { memoryStorage } from "../../../src/core/link/browserEnvironment.ts"

const said = (key: string, at: number | null): ChatItem => ({
  kind: "assistant",
  key,
  at,
  text: key,
  streaming: false,
  model: null,
  injected: false,
  usage: null
})

/** A conversation whose items are named after their message: `m1.0`, `m1.1`. */
const chatOf = (keys: ReadonlyArray<string>, hasOlder = false) => {
  const items = keys.map((key) => said(key, Number(/\d+/.exec(key)?.[0]) * 1_000))
  const state: ChatState = {
    sessionKey: "s",
    status: "ready",
    message: null,
    items,
    activity: "IDLE",
    linked: true,
    deleted: false,
    running: false,
    aborting: false,
    queued: 0,
    phase: null,
    hasOlder,
    loadingOlder: false
  }
  return {
    state: { get: () => state, subscribe: () => () => {} },
    keysOf: (id: string) => keys.filter((key) => key.startsWith(`${id}.`)),
    messageOf: (key: string) => key.split(".")[0] ?? null
  }
}

describe("where a reader left a session", () => {
  const chat = chatOf(["m1.0", "m2.0", "m2.1", "m3.0"])

  it("is found again by message, also one that became several items", () => {
    for (const item of chat.state.get().items) assert.strictEqual(itemAt(chat, placeOf(chat, item)), item.key)
  })

  it("is the nearest message in time where its own is gone", () => {
    assert.strictEqual(itemAt(chat, { id: "gone", part: 0, at: 2_500 }), "m2.1")
    assert.strictEqual(itemAt(chat, { id: null, part: 0, at: 100 }), "m1.0")
    assert.isNull(itemAt(chatOf([]), { id: "gone", part: 0, at: 5 }))
  })

  it("needs older pages first where those may have it", () => {
    assert.isNull(itemAt(chatOf(["m5.0"], true), { id: "m2", part: 0, at: 2_000 }))
    assert.strictEqual(itemAt(chatOf(["m5.0"], true), { id: "gone", part: 0, at: 6_000 }), "m5.0")
  })

  it("reports what is new since", () => {
    assert.deepStrictEqual(newSince(chat, { id: "m2", part: 0, at: 2_000 }), { key: "m3.0", count: 1 })
    assert.isNull(newSince(chat, { id: "m3", part: 0, at: 3_000 }))
    assert.deepStrictEqual(newSince(chat, { id: "gone", part: 0, at: 1_000 }), { key: "m2.0", count: 3 })
    assert.isNull(newSince(chat, { id: null, part: 0, at: 9_000 }))
  })

  it("is kept per session, for the latest sixty", () => {
    const storage = memoryStorage()
    const last = { id: "m3", part: 0, at: 3_000 }
    const top = { id: "m1", part: 0, at: 1_000, offset: -12 }
    assert.isNull(readingPlace(storage, "s0"))
    for (let session = 0; session < 70; session++) keepReadingPlace(storage, `s${session}`, { top, last })
    keepReadingPlace(storage, "s69", { top: null, last })
    assert.isNull(readingPlace(storage, "s9"))
    assert.deepInclude(readingPlace(storage, "s10"), { top, last })
    assert.deepInclude(readingPlace(storage, "s69"), { top: null, last })
  })

  it("is unknown where what was kept is damaged", () => {
    const storage = memoryStorage()
    for (const text of ["{", "[1]", '[{"session":"s"}]', '[{"session":"s","last":3}]']) {
      storage.setItem("agent-console:reading", text)
      assert.isNull(readingPlace(storage, "s"))
    }
  })
})
