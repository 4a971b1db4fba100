import { assert, describe, it } from "@effect/vitest"
import { createAgentLogStore, filterLog } from "../../../src/core/knowledge/AgentLogStore.ts"
import { FakeServer } from "./support/FakeServer.ts"

const opened = async (log: Array<unknown>) => {
  const server = new FakeServer()
  server.log = log
  const store = createAgentLogStore(server.api, server.events)
  await store.load()
  return { server, store, entries: () => store.state.get().entries }
}

describe("the agent log", () => {
  it("grows by events, at most to 200, and keeps the ids of what stays", async () => {
    const { server, store, entries } = await opened([{ ts: 1, message: "first" }])
    const [first] = entries()
    server.emit("agentlog.added", { entry: { ts: 2, message: "second" } })
    server.log = [
      { ts: 1, message: "first" },
      { ts: 2, message: "second" },
      { ts: 2, message: "second" }
    ]
    const known = entries()
    await store.load()
    assert.deepStrictEqual(entries().slice(0, 2), known)
    assert.strictEqual(entries()[0]?.id, first?.id)
    assert.strictEqual(new Set(entries().map(({ id }) => id)).size, 3)
    for (let index = 0; index < 300; index++)
      server.emit("agentlog.added", { entry: { ts: index, message: `${index}` } })
    assert.deepStrictEqual([entries().length, entries().at(-1)?.message], [200, "299"])
  })

  it("keeps what arrives while it is read, once", async () => {
    for (const isInAnswer of [false, true]) {
      const server = new FakeServer()
      const entry = { ts: 2, message: "meanwhile" }
      server.log = isInAnswer ? [{ ts: 1, message: "first" }, entry] : [{ ts: 1, message: "first" }]
      const store = createAgentLogStore(server.api, server.events)
      const reading = store.load()
      server.emit("agentlog.added", { entry })
      await reading
      const shown = () => store.state.get().entries.map(({ message }) => message)
      assert.deepStrictEqual(shown(), ["first", "meanwhile"])
      const again = store.load()
      server.emit("agentlog.added", { entry: { ts: 3, message: "later" } })
      await again
      assert.deepStrictEqual(shown(), isInAnswer ? ["first", "meanwhile", "later"] : ["first", "later"])
    }
  })

  it("is read again after the events were cut, and says why it cannot be read", async () => {
    const { server, entries } = await opened([])
    server.log = [{ message: "missed" }]
    server.connected.set(false)
    server.connected.set(true)
    await Promise.resolve()
    await new Promise((resolve) => setTimeout(resolve, 0))
    assert.strictEqual(entries()[0]?.message, "missed")
    server.instead.set("/api/agentlog", { status: 500, body: {} })
    const other = createAgentLogStore(server.api, server.events)
    await other.load()
    assert.strictEqual(other.state.get().status, "failed")
  })

  it("is filtered by level, type and words in any field", async () => {
    const { entries } = await opened([
      { level: "error", type: "run", message: "Disk full" },
      { level: "info", type: "tool", message: "Read mail", data: { from: "Ada" } },
      { message: "plain" }
    ])
    const found = (filter: { query?: string; level?: string; type?: string }) =>
      filterLog(entries(), { query: "", level: "", type: "", ...filter }).map(({ message }) => message)
    assert.deepStrictEqual(found({}), ["Disk full", "Read mail", "plain"])
    assert.deepStrictEqual(found({ level: "error" }), ["Disk full"])
    assert.deepStrictEqual(found({ type: "tool" }), ["Read mail"])
    assert.deepStrictEqual(found({ query: "ADA read" }), ["Read mail"])
    assert.deepStrictEqual(found({ query: "nothing" }), [])
  })
})
