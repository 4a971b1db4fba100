import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { createMemoryStore, dayKey } from "../../../src/core/knowledge/MemoryStore.ts"
import { createTextDrafts } from "../../../src/core/knowledge/TextDrafts.ts"
import { memoryStorage } from "../../../src/core/link/browserEnvironment.ts"
import { FakeServer } from "./support/FakeServer.ts"

let server: FakeServer
let storage: ReturnType<typeof memoryStorage>
const makeStore = () => createMemoryStore(server.api, server.events, createTextDrafts(storage))

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  storage = memoryStorage()
  server = new FakeServer()
  server.memory = "# Memory\n\n## Taste\n- tea\n  - green\n- quiet\n\n## Work\n- early\n"
  server.days = { "2026-01-02": "## Morning\n- ran\n" }
})
afterEach(() => vi.useRealTimers())

const opened = async () => {
  const store = makeStore()
  const stop = store.watch()
  await vi.advanceTimersByTimeAsync(1)
  return { store, stop }
}

describe("the memory", () => {
  it("is read in sections and days, and again when it changes while somebody looks", async () => {
    const { store, stop } = await opened()
    assert.deepStrictEqual(
      store.state.get().sections.map(({ title, items }) => [title, items]),
      [
        ["Taste", ["tea", "green", "quiet"]],
        ["Work", ["early"]]
      ]
    )
    assert.deepStrictEqual(store.state.get().days, [{ date: "2026-01-02", headings: ["Morning"] }])
    server.memory = "## New\n- one\n"
    for (let step = 0; step < 50; step++) {
      server.emit("memory.changed", { file: "MEMORY.md" })
      await vi.advanceTimersByTimeAsync(100)
    }
    assert.isAtMost(server.count("GET /api/memories"), 6)
    assert.deepStrictEqual(store.state.get().sections[0]?.title, "New")
    stop()
    const before = server.count("GET /api/memories")
    server.emit("memory.changed", { file: "MEMORY.md" })
    await vi.advanceTimersByTimeAsync(10_000)
    assert.strictEqual(server.count("GET /api/memories"), before, "nobody looks")
  })

  it("says why it cannot be read, and tries again", async () => {
    server.instead.set("/api/memories", { status: 500, body: {} })
    const { store } = await opened()
    assert.strictEqual(store.state.get().status, "failed")
    server.instead.clear()
    await store.load()
    assert.strictEqual(store.state.get().status, "ready")
  })

  it("adds, and says when it is there already", async () => {
    const { store } = await opened()
    const memory = { text: "coffee", section: "Taste", category: "fact", importance: 1 }
    assert.deepStrictEqual(await store.add(memory), { ok: true, value: { written: true, storeProblem: null } })
    assert.deepStrictEqual(await store.add(memory), { ok: true, value: { written: false, storeProblem: null } })
    assert.include(store.state.get().sections[0]?.items ?? [], "coffee")
  })

  it("edits a bullet in place, also when somebody else changes the section at the same moment", async () => {
    const { store } = await opened()
    let isFirst = true
    server.beforeWrite = () => {
      if (isFirst) server.memory = server.memory.replace("- quiet", "- quiet\n- added meanwhile")
      isFirst = false
    }
    store.startEdit("Taste", "tea")
    assert.deepStrictEqual(await store.editItem("Taste", "tea", "oolong\ntea"), { ok: true, value: true })
    assert.strictEqual(
      server.memory,
      "# Memory\n\n## Taste\n- oolong tea\n  - green\n- quiet\n- added meanwhile\n\n## Work\n- early\n"
    )
    assert.deepStrictEqual(store.state.get().edits, [])
  })

  it("keeps what was typed when the bullet is gone, over a reload too", async () => {
    const { store } = await opened()
    store.startEdit("Taste", "tea")
    store.keepEdit("Taste", "tea", "white tea")
    server.memory = server.memory.replace("- tea", "- milk")
    const failed = await store.editItem("Taste", "tea", "white tea")
    assert.isFalse(failed.ok)
    const again = makeStore()
    assert.deepStrictEqual(again.state.get().edits, [{ section: "Taste", original: "tea", draft: "white tea" }])
    assert.strictEqual(again.typed({ section: "Taste", original: "tea" }), "white tea")
    again.endEdit("Taste", "tea")
    assert.deepStrictEqual(makeStore().state.get().edits, [])
  })

  it("removes a bullet with what is nested in it, and brings it back where it was", async () => {
    const { store } = await opened()
    const before = server.memory
    const removed = await store.removeItem("Taste", "tea")
    assert.strictEqual(server.memory, "# Memory\n\n## Taste\n- quiet\n\n## Work\n- early\n")
    if (removed.ok) await removed.value()
    assert.strictEqual(server.memory, before)
  })

  it("brings a bullet back at the end when the section changed meanwhile", async () => {
    const { store } = await opened()
    const removed = await store.removeItem("Taste", "quiet")
    server.memory = server.memory.replace("- tea", "- coffee")
    if (removed.ok) assert.deepStrictEqual(await removed.value(), { ok: true, value: true })
    assert.strictEqual(server.memory, "# Memory\n\n## Taste\n- coffee\n  - green\n- quiet\n\n## Work\n- early\n")
  })

  it("removes sections and single texts for good", async () => {
    const { store } = await opened()
    await store.removeEverywhere("early")
    await store.removeSection("Taste", null)
    assert.strictEqual(server.memory, "# Memory\n\n## Work\n")
    assert.isFalse((await store.removeSection("Taste", null)).ok)
  })

  it("reads days only when they are wanted, once, and again after a change", async () => {
    const { store } = await opened()
    await store.readDays()
    await store.readDay("2026-01-02", "Morning")
    assert.strictEqual(store.state.get().contents.get(dayKey("2026-01-02", "Morning")), "- ran")
    assert.strictEqual(server.count("GET /api/memories/section"), 1)
    server.days = { "2026-01-02": "## Morning\n- walked\n" }
    server.emit("memory.changed", { file: "MEMORY.md" })
    await vi.advanceTimersByTimeAsync(2_000)
    assert.strictEqual(store.state.get().contents.get(dayKey("2026-01-02", "Morning")), "- walked")
  })

  it("reads each day's file once for what its sections begin with, and again after a change of that day", async () => {
    server.days = { "2026-01-03": "## Noon\n- ate\n", "2026-01-02": "## Morning\n- ran\n" }
    for (const [date, text] of Object.entries(server.days)) server.save(`memory/${date}.md`, text)
    const { store } = await opened()
    await vi.advanceTimersByTimeAsync(100)
    const previews = () => [...store.state.get().previews]
    assert.deepStrictEqual(previews(), [
      [dayKey("2026-01-03", "Noon"), "ate"],
      [dayKey("2026-01-02", "Morning"), "ran"]
    ])
    await store.load()
    assert.strictEqual(server.count("GET /api/files/read"), 2)
    server.save("memory/2026-01-02.md", "## Morning\n- walked\n")
    server.emit("memory.changed", { file: "2026-01-02.md" })
    await vi.advanceTimersByTimeAsync(2_000)
    assert.strictEqual(store.state.get().previews.get(dayKey("2026-01-02", "Morning")), "walked")
    assert.strictEqual(server.count("GET /api/files/read"), 3)
  })

  it("does without them where the days are kept elsewhere", async () => {
    server.days = { "2026-01-03": "## Noon\n- ate\n", "2026-01-02": "## Morning\n- ran\n" }
    const { store } = await opened()
    await vi.advanceTimersByTimeAsync(100)
    await store.load()
    assert.strictEqual(store.state.get().previews.size, 0)
    assert.strictEqual(server.count("GET /api/files/read"), 1)
  })

  it("skips a day that isn't text, and reads a day again that didn't come", async () => {
    server.days = { "2026-01-03": "## Noon\n- ate\n", "2026-01-02": "## Morning\n- ran\n" }
    for (const [date, text] of Object.entries(server.days)) server.save(`memory/${date}.md`, text)
    const path = "/api/files/read"
    server.instead.set(path, { status: 503, body: {} })
    const { store } = await opened()
    const previews = () => [...store.state.get().previews.values()]
    await vi.advanceTimersByTimeAsync(100)
    assert.deepStrictEqual(previews(), [])
    assert.strictEqual(server.count(`GET ${path}`), 1, "nor will the next one")
    server.instead.set(path, { status: 400, body: {} })
    await store.load()
    await vi.advanceTimersByTimeAsync(100)
    assert.strictEqual(server.count(`GET ${path}`), 3, "each is tried")
    server.instead.delete(path)
    server.emit("memory.changed", { file: "2026-01-02.md" })
    await vi.advanceTimersByTimeAsync(2_000)
    assert.deepStrictEqual(previews(), ["ran"])
  })

  it("edits a section as one text that follows the memory", async () => {
    const { store } = await opened()
    const document = store.document("Work", null)
    assert.strictEqual(store.document("Work", null), document)
    const stop = store.watchDocument(document)
    await vi.advanceTimersByTimeAsync(1)
    assert.strictEqual(document.text(), "- early")
    server.memory = server.memory.replace("- early", "- late")
    server.emit("memory.changed", { file: "MEMORY.md" })
    await vi.advanceTimersByTimeAsync(3_000)
    assert.strictEqual(document.text(), "- late")
    document.replace("- noon")
    assert.isTrue(store.isUnsaved("Work", null))
    await document.save()
    assert.include(server.memory, "- noon")
    stop()
  })
})
