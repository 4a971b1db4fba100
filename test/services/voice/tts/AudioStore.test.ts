import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { AudioStore, makeAudioReplay } from "../../../../src/services/voice/tts/AudioStore.ts"

const trailOf = (bytes: number) => {
  const { replay, write } = makeAudioReplay((emit) => Effect.sync(() => emit(new Uint8Array(bytes))))
  Effect.runSync(write)
  return replay
}

const add = (store: AudioStore, key: string, bytes: number, now: number) => {
  store.begin(key, trailOf(bytes))
  store.finish(key, now)
}

const kept = (store: AudioStore, keys: string, now: number) =>
  [...keys].filter((key) => store.get(key, now) !== undefined).join("")

describe("AudioStore keeps within its limits", () => {
  it("by number, the longest unused first", () => {
    const store = new AudioStore({ entries: 2, bytes: 1000, ttlMs: 100 })
    add(store, "a", 1, 0)
    add(store, "b", 1, 0)
    assert.isDefined(store.get("a", 1))
    add(store, "c", 1, 2)
    assert.strictEqual(kept(store, "abc", 3), "ac")
  })

  it("by bytes", () => {
    const store = new AudioStore({ entries: 10, bytes: 10, ttlMs: 100 })
    add(store, "a", 6, 0)
    add(store, "b", 4, 0)
    assert.strictEqual(kept(store, "ab", 0), "ab")
    add(store, "c", 5, 0)
    assert.strictEqual(kept(store, "abc", 0), "bc")
    add(store, "d", 11, 0)
    assert.strictEqual(kept(store, "abcd", 0), "")
  })

  it("by age", () => {
    const store = new AudioStore({ entries: 10, bytes: 10, ttlMs: 100 })
    add(store, "a", 1, 0)
    assert.isDefined(store.get("a", 99))
    assert.isUndefined(store.get("a", 100))
  })

  it("and with no entries allowed only what is being made", () => {
    const store = new AudioStore({ entries: 0, bytes: 10, ttlMs: 100 })
    store.begin("a", trailOf(1))
    assert.isDefined(store.get("a", 0))
    store.finish("a", 0)
    assert.isUndefined(store.get("a", 0))
  })
})
