import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { withAgent } from "../../../src/core/knowledge/agentConnections.ts"
import { type AllKnowledge, createAllKnowledge } from "../../../src/core/knowledge/knowledgeOf.ts"
import { memoryStorage } from "../../../src/core/link/browserEnvironment.ts"
import { FakeServer } from "./support/FakeServer.ts"

let server: FakeServer
let helper: FakeServer
let storage: ReturnType<typeof memoryStorage>
const settle = (ms = 1) => vi.advanceTimersByTimeAsync(ms)
const start = (): AllKnowledge => createAllKnowledge(server, storage)

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  server = new FakeServer()
  helper = server.addAgent("helper")
  storage = memoryStorage()
  for (const [place, name] of [
    [server, "main"],
    [helper, "helper"]
  ] as const) {
    place.memory = `## Taste\n- tea of ${name}\n`
    place.documents.set("soul", `I am ${name}`)
    place.save("notes/a.md", `a of ${name}`)
  }
})
afterEach(() => vi.useRealTimers())

describe("the agent of the address", () => {
  it("is the one asked for, else the one looked at last, else the default one", async () => {
    const { agents } = start()
    assert.deepStrictEqual(agents.choose(null), { kind: "agent", id: null }, "needs no list")
    assert.deepStrictEqual(agents.choose("helper"), { kind: "loading" })
    await agents.load()
    assert.deepStrictEqual(agents.choose("helper"), { kind: "agent", id: "helper" })
    assert.deepStrictEqual(agents.choose("main"), { kind: "agent", id: null }, "the default one needs no name")
    assert.deepStrictEqual(agents.choose("nobody"), { kind: "unknown", id: "nobody" })
    agents.remember("helper")
    assert.deepStrictEqual(agents.choose(null), { kind: "agent", id: "helper" })
    const later = start().agents
    assert.deepStrictEqual(later.choose(null), { kind: "loading" })
    await later.load()
    assert.deepStrictEqual(later.choose(null), { kind: "agent", id: "helper" })
    assert.deepStrictEqual(later.choose("main"), { kind: "agent", id: null })
    server.agents.delete("helper")
    await later.load()
    assert.deepStrictEqual(later.choose(null), { kind: "agent", id: null }, "it is gone: nobody asked for it")
    later.remember(null)
    assert.deepStrictEqual(start().agents.choose(null), { kind: "agent", id: null })
  })

  it("is named where there are several, and never for a single one", async () => {
    const { agents } = start()
    assert.strictEqual(agents.nameOf(null), null)
    await agents.load()
    assert.strictEqual(agents.nameOf(null), "main")
    assert.strictEqual(agents.nameOf("helper"), "helper")
    server.agents.delete("helper")
    await agents.load()
    assert.strictEqual(agents.nameOf(null), null)
    assert.strictEqual(withAgent("/knowledge/memory", null), "/knowledge/memory")
    assert.strictEqual(withAgent("/a?b=c", "helper"), "/a?b=c&agent=helper")
  })

  it("is new until something is in its workspace", async () => {
    helper.isNew = true
    const { agents } = start()
    await agents.load()
    const news = () => agents.state.get().agents.map(({ isNew }) => isNew)
    assert.deepStrictEqual(news(), [false, true])
    helper.isNew = false
    server.emit("file.changed", { path: "x", mtime: 1 })
    await settle()
    assert.deepStrictEqual(news(), [false, true], "that was another agent's")
    helper.emit("file.changed", { path: "x", mtime: 1 })
    await settle()
    assert.deepStrictEqual(news(), [false, false])
    const asked = server.count("GET /api/agents")
    helper.emit("memory.changed", { file: "MEMORY.md" })
    await settle()
    assert.strictEqual(server.count("GET /api/agents"), asked)
  })

  it("is not known while the gateway cannot be asked, and is when it can", async () => {
    server.instead.set("/api/agents", { status: 502, body: { details: "Can't reach the gateway." } })
    const { agents } = start()
    await agents.load()
    assert.deepStrictEqual(agents.choose("helper"), { kind: "failed" })
    assert.strictEqual(agents.state.get().message, "Can't reach the gateway.")
    server.instead.clear()
    server.emit("status.changed", { gateway: "ok" })
    await settle()
    assert.deepStrictEqual(agents.choose("helper"), { kind: "agent", id: "helper" })
    server.instead.set("/api/agents", { status: 502, body: {} })
    await agents.load()
    assert.strictEqual(agents.state.get().agents.length, 2, "what is known stays")
  })

  it("is read again when the gateway came back, but not for a status that a new stream repeats", async () => {
    const { agents } = start()
    const reading = agents.load()
    server.emit("status.changed", { gateway: "ok" })
    await reading
    await settle()
    server.emit("status.changed", { gateway: "ok" })
    await settle()
    assert.strictEqual(server.count("GET /api/agents"), 1)
    server.emit("status.changed", { gateway: "unreachable" })
    server.emit("status.changed", { gateway: "ok" })
    await settle()
    assert.strictEqual(server.count("GET /api/agents"), 2)
  })

  it("is read again when the gateway answers while the console's refusal is on its way", async () => {
    server.instead.set("/api/agents", { status: 502, body: {} })
    const { agents } = start()
    const reading = agents.load()
    server.emit("status.changed", { gateway: "ok" })
    await Promise.resolve()
    server.instead.clear()
    await reading
    await settle()
    assert.deepStrictEqual(agents.choose("helper"), { kind: "agent", id: "helper" })
  })
})

describe("two agents", () => {
  it("have memory, documents and files of their own; requests about the default one name nobody", async () => {
    const all = start()
    const [main, other] = [all.of(null), all.of("helper")]
    assert.strictEqual(all.of("helper"), other)
    for (const { memory, tree } of [main, other]) await Promise.all([memory.load(), tree.load()])
    assert.deepStrictEqual(other.memory.state.get().sections[0]?.items, ["tea of helper"])
    assert.isTrue((await other.memory.editItem("Taste", "tea of helper", "coffee")).ok)
    assert.include(helper.memory, "coffee")
    assert.notInclude(server.memory, "coffee")
    assert.isTrue((await other.tree.createFile("b.md")).ok)
    assert.isTrue(helper.files.has("b.md"))
    assert.isFalse(server.files.has("b.md"))
    assert.isTrue((await other.tree.remove("notes/a.md")).ok)
    assert.isTrue(server.files.has("notes/a.md"))
    const names = server.asked.filter((asked) => asked !== "GET /api/agents")
    assert.strictEqual(names.filter((asked) => asked === "GET /api/memories").length, 1)
    assert.isFalse(names.some((asked) => / of (?!helper)/.test(asked)))
  })

  it("keep drafts, open files and conflicts apart, also over a reload", async () => {
    const first = start()
    for (const agent of [null, "helper"]) {
      const { documents, files } = first.of(agent)
      await documents.load()
      await documents.document("soul").load()
      documents.document("soul").edit(() => `typed for ${agent}`)
      documents.document("soul").keep()
      if (agent === "helper") files.show("notes/a.md")
      await settle()
    }
    first.of("helper").files.find("notes/a.md")?.document.replace("typed in a file")
    assert.deepStrictEqual([first.unsavedOf(null), first.unsavedOf("helper")], [1, 2])

    const again = start()
    assert.deepStrictEqual([again.unsavedOf(null), again.unsavedOf("helper")], [1, 2])
    const [main, other] = [again.of(null), again.of("helper")]
    assert.deepStrictEqual(main.files.state.get().tabs, [])
    assert.deepStrictEqual(
      other.files.state.get().tabs.map(({ path }) => path),
      ["notes/a.md"]
    )
    for (const { documents } of [main, other]) {
      await documents.load()
      await documents.document("soul").load()
    }
    assert.strictEqual(main.documents.document("soul").text(), "typed for null")
    assert.strictEqual(other.documents.document("soul").text(), "typed for helper")

    helper.documents.set("soul", "by the agent itself")
    helper.emit("file.changed", { path: "SOUL.md", mtime: 9 })
    await settle(5_000)
    assert.deepStrictEqual(other.documents.document("soul").state.get().conflict, { theirs: "by the agent itself" })
    assert.isNull(main.documents.document("soul").state.get().conflict)
    assert.isTrue(await main.documents.document("soul").save())
    assert.strictEqual(server.documents.get("soul"), "typed for null")
    assert.isTrue(await other.documents.document("soul").resolve("mine"))
    assert.strictEqual(helper.documents.get("soul"), "typed for helper")
    assert.deepStrictEqual([again.unsavedOf(null), again.unsavedOf("helper")], [0, 1])
  })

  it("are notified only of their own files", async () => {
    const all = start()
    const stops = [all.of(null), all.of("helper")].flatMap(({ memory, tree }) => [memory.watch(), tree.watch()])
    await settle(5_000)
    const counts = () => ["", " of helper"].map((whose) => server.count(`GET /api/memories${whose}`))
    const before = counts()
    helper.emit("memory.changed", { source: "file", file: "MEMORY.md" })
    await settle(5_000)
    assert.deepStrictEqual(counts(), [before[0], (before[1] ?? 0) + 1])
    server.emit("memory.changed", { source: "file", file: "MEMORY.md" })
    await settle(5_000)
    assert.deepStrictEqual(counts(), [(before[0] ?? 0) + 1, (before[1] ?? 0) + 1])
    const trees = () => ["", " of helper"].map((whose) => server.count(`GET /api/files/tree${whose}`))
    const [mine, theirs] = trees()
    helper.save("new.md", "")
    await settle(5_000)
    assert.deepStrictEqual(trees(), [mine, (theirs ?? 0) + 1])
    for (const stop of stops) stop()
  })

  it("of which one is removed while its text is typed: the text stays, and the save says why", async () => {
    const { documents } = start().of("helper")
    await documents.load()
    const soul = documents.document("soul")
    await soul.load()
    soul.replace("typed")
    server.agents.delete("helper")
    assert.isFalse(await soul.save())
    const { message, conflict, status, dirty } = soul.state.get()
    assert.deepStrictEqual([message, conflict, status, dirty], ["said unknown_agent", null, "ready", true])
    assert.strictEqual(soul.text(), "typed")
  })
})

describe("agents of an added gateway", () => {
  const HOME = { id: "primary", name: "Home" }
  const WORK = { id: "work", name: "Work" }

  it("have the name of their gateway and knowledge of their own, and only their own events get through", async () => {
    const far = server.addAgent("@work:main")
    far.memory = "## Taste\n- tea of work\n"
    server.gateways.set([HOME, WORK])
    const all = start()
    await all.agents.load()
    const { agents } = all.agents.state.get()
    assert.deepStrictEqual(
      agents.map(({ id, name }) => [id, name]),
      [
        ["main", "The main"],
        ["helper", "The helper"],
        ["@work:main", "The main · Work"]
      ]
    )
    assert.deepStrictEqual(all.agents.choose("@work:main"), { kind: "agent", id: "@work:main" })
    const { memory } = all.of("@work:main")
    const leave = memory.watch()
    await memory.load()
    assert.deepStrictEqual(memory.state.get().sections[0]?.items, ["tea of work"])
    far.memory = "## Taste\n- coffee of work\n"
    server.emit("memory.changed", { file: "MEMORY.md" })
    server.emit("memory.changed", { file: "MEMORY.md", agent: "main" })
    await settle(5_000)
    assert.deepStrictEqual(memory.state.get().sections[0]?.items, ["tea of work"])
    far.emit("memory.changed", { file: "MEMORY.md" })
    await settle(5_000)
    assert.deepStrictEqual(memory.state.get().sections[0]?.items, ["coffee of work"])
    assert.include(server.memory, "tea of main")
    leave()
  })

  it("are found though their gateway becomes known while the agents are being read", async () => {
    server.addAgent("@work:main")
    const { agents } = start()
    const loading = agents.load()
    server.gateways.set([HOME, WORK])
    await settle()
    await loading
    assert.deepStrictEqual(agents.choose("@work:main"), { kind: "agent", id: "@work:main" })
    const asked = server.count("GET /api/agents")
    server.gateways.set([HOME, WORK])
    await settle()
    assert.strictEqual(server.count("GET /api/agents"), asked, "the same gateways")
  })

  it("stay as far as they're known while their gateway can't be reached, and so do the others without the primary", async () => {
    server.addAgent("@work:main")
    server.gateways.set([HOME, WORK])
    server.down.add("work")
    const { agents } = start()
    await agents.load()
    assert.deepStrictEqual(agents.choose("@work:main"), { kind: "failed" })
    assert.deepStrictEqual(agents.choose("helper"), { kind: "agent", id: "helper" })
    assert.deepStrictEqual(agents.state.get().silent, ["work"])
    server.down.clear()
    server.down.add("primary")
    const others = start().agents
    await others.load()
    assert.deepStrictEqual(others.choose("@work:main"), { kind: "agent", id: "@work:main" })
    assert.strictEqual(others.state.get().status, "failed")
  })

  it("appear when their gateway is added", async () => {
    server.addAgent("@work:main")
    const { agents } = start()
    await agents.load()
    assert.strictEqual(agents.state.get().agents.length, 2)
    server.gateways.set([HOME, WORK])
    await settle()
    assert.strictEqual(agents.state.get().agents.length, 3)
  })
})
