import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { findNode } from "../../../src/core/knowledge/fileNodes.ts"
import { createAllKnowledge, type Knowledge } from "../../../src/core/knowledge/knowledgeOf.ts"
import { memoryStorage } from "../../../src/core/link/browserEnvironment.ts"
import { FakeServer } from "./support/FakeServer.ts"

let server: FakeServer
let storage: ReturnType<typeof memoryStorage>
const settle = (ms = 1) => vi.advanceTimersByTimeAsync(ms)
const start = (): Knowledge => createAllKnowledge(server, storage).of(null)
const paths = ({ files }: Knowledge) => files.state.get().tabs.map(({ path }) => path)

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  server = new FakeServer()
  storage = memoryStorage()
  server.save("notes/a.md", "one")
  server.save("b.md", "two")
})
afterEach(() => vi.useRealTimers())

describe("the tree", () => {
  it("is read when somebody looks, and not too often while it changes", async () => {
    const knowledge = start()
    const stop = knowledge.tree.watch()
    await settle()
    assert.isDefined(findNode(knowledge.tree.state.get().nodes, "notes/a.md"))
    for (let step = 0; step < 100; step++) {
      server.save(`new-${step}.md`, "")
      await settle(100)
    }
    assert.isAtMost(server.count("GET /api/files/tree"), 6)
    await settle(3_000)
    assert.isDefined(findNode(knowledge.tree.state.get().nodes, "new-99.md"))
    stop()
    const before = server.count("GET /api/files/tree")
    server.save("unseen.md", "")
    await settle(5_000)
    assert.strictEqual(server.count("GET /api/files/tree"), before)
  })

  it("opens folders, and those on the way to a file", async () => {
    const { tree } = start()
    await tree.load()
    tree.reveal("notes/deep/file.md")
    assert.deepStrictEqual([...tree.state.get().open], ["notes", "notes/deep"])
    await tree.toggle("notes")
    assert.deepStrictEqual([...tree.state.get().open], ["notes/deep"])
    tree.closeAll()
    assert.strictEqual(tree.state.get().open.size, 0)
  })

  it("reads a folder that one answer left out, and keeps it in later ones", async () => {
    const { tree } = start()
    const cut = [{ name: "big", path: "big", type: "directory" }]
    server.instead.set("/api/files/tree", { status: 200, body: cut })
    await tree.load()
    assert.strictEqual(tree.state.get().nodes.length, 1)
    server.instead.set("/api/files/tree", { status: 200, body: [{ name: "in", path: "big/in", type: "file" }] })
    await tree.toggle("big")
    assert.isDefined(findNode(tree.state.get().nodes, "big/in"))
    server.instead.set("/api/files/tree", { status: 200, body: cut })
    await tree.load()
    assert.isDefined(findNode(tree.state.get().nodes, "big/in"))
  })

  it("makes, deletes, restores, and says when deletes are for good", async () => {
    const { tree } = start()
    assert.isTrue(tree.isPermanent, "until the server said otherwise")
    await tree.load()
    assert.isTrue((await tree.createFile("c.md")).ok)
    assert.isTrue((await tree.createFolder("box")).ok)
    assert.isFalse((await tree.createFile("b.md")).ok, "never over a file that is there")
    const removed = await tree.remove("b.md")
    const trash = await tree.trash()
    assert.deepStrictEqual(trash, { ok: true, value: [{ undo: "undo-b.md", path: "b.md", deletedAt: 5 }] })
    assert.isFalse(tree.isPermanent)
    assert.deepStrictEqual(await tree.restore(removed.ok ? (removed.value.undo ?? "") : ""), {
      ok: true,
      value: "b.md"
    })
    assert.isDefined(findNode(tree.state.get().nodes, "b.md"))
    server.isPermanent = true
    await tree.trash()
    assert.isTrue(tree.isPermanent)
  })

  it("says why it cannot be read, and tries again", async () => {
    const { tree } = start()
    server.instead.set("/api/files/tree", { status: 500, body: {} })
    await tree.load()
    assert.strictEqual(tree.state.get().status, "failed")
    server.instead.clear()
    await tree.load()
    assert.strictEqual(tree.state.get().status, "ready")
  })
})

describe("open files", () => {
  it("are the same after a reload, with what is unsaved in them", async () => {
    const first = start()
    first.files.show("b.md")
    first.files.show("notes/a.md")
    await settle()
    const document = first.files.find("notes/a.md")?.document
    document?.edit(() => "one and more")
    first.files.keep()
    const second = start()
    second.files.show("b.md")
    await settle()
    assert.deepStrictEqual(paths(second), ["b.md", "notes/a.md"])
    assert.deepStrictEqual(
      second.files.unsaved().map(({ path }) => path),
      ["notes/a.md"]
    )
    assert.strictEqual(second.files.find("notes/a.md")?.document.text(), "one and more")
  })

  it("follow changes of others by event, each its own only", async () => {
    const { files } = start()
    files.show("b.md")
    await settle()
    const reads = server.count("GET /api/files/read")
    server.save("notes/a.md", "other")
    await settle(3_000)
    assert.strictEqual(server.count("GET /api/files/read"), reads)
    server.save("b.md", "changed")
    await settle(3_000)
    assert.strictEqual(files.find("b.md")?.document.text(), "changed")
  })

  it("are read as text only where they are shown as text, also after the page was away", async () => {
    const { files } = start()
    files.show("b.md")
    await settle(3_000)
    files.show("paper.pdf")
    const reads = server.count("GET /api/files/read")
    assert.isAbove(reads, 0)
    files.lookAgain()
    await settle(10_000)
    assert.strictEqual(server.count("GET /api/files/read"), reads)
    files.show("b.md")
    files.lookAgain()
    await settle(10_000)
    assert.isAbove(server.count("GET /api/files/read"), reads)
  })

  it("go along when a folder on the way is renamed or moved, unsaved text too", async () => {
    const { files, tree } = start()
    await tree.load()
    tree.reveal("notes/a.md")
    files.show("notes/a.md")
    await settle()
    files.find("notes/a.md")?.document.edit(() => "unsaved")
    await tree.rename("notes", "papers")
    assert.deepStrictEqual(files.state.get().active, "papers/a.md")
    assert.isTrue(tree.state.get().open.has("papers"))
    await tree.move("papers/a.md", "a.md")
    assert.isTrue(await files.find("a.md")?.document.save())
    assert.strictEqual(server.files.get("a.md")?.content, "unsaved")
  })

  it("say when their file is deleted, and keep what is unsaved", async () => {
    const { files, tree } = start()
    files.show("b.md")
    await settle()
    files.find("b.md")?.document.edit(() => "unsaved")
    await tree.remove("b.md")
    await settle(3_000)
    const document = files.find("b.md")?.document
    assert.deepStrictEqual([document?.text(), document?.state.get().conflict], ["unsaved", { theirs: null }])
  })

  it("close to the neighbour, and what is given up does not come back", async () => {
    const knowledge = start()
    for (const path of ["b.md", "notes/a.md", "c.md"]) knowledge.files.show(path)
    await settle()
    knowledge.files.show("notes/a.md")
    knowledge.files.find("notes/a.md")?.document.replace("unsaved")
    assert.strictEqual(knowledge.files.close("notes/a.md"), "c.md")
    assert.strictEqual(knowledge.files.close("c.md"), "b.md")
    assert.strictEqual(knowledge.files.close("b.md"), null)
    assert.deepStrictEqual(paths(start()), [])
  })

  it("are at most thirty; those with unsaved text stay", async () => {
    const { files } = start()
    files.show("b.md")
    await settle()
    files.find("b.md")?.document.replace("unsaved")
    for (let index = 0; index < 40; index++) files.show(`new-${index}.md`)
    assert.strictEqual(files.state.get().tabs.length, 30)
    assert.isDefined(files.find("b.md"))
  })

  it("pictures are not read as text until somebody wants to", async () => {
    const { files } = start()
    server.save("drawing.svg", "<svg/>")
    files.show("drawing.svg")
    await settle()
    assert.deepStrictEqual([files.find("drawing.svg")?.kind, server.count("GET /api/files/read")], ["image", 0])
    files.showAs("drawing.svg", "text")
    await settle()
    assert.strictEqual(files.find("drawing.svg")?.document.text(), "<svg/>")
  })

  it("are looked at again after the page was away or the events were cut", async () => {
    const { files } = start()
    files.show("b.md")
    await settle()
    server.files.set("b.md", { content: "silent", mtime: 99 })
    server.connected.set(false)
    server.connected.set(true)
    await settle(3_000)
    assert.strictEqual(files.find("b.md")?.document.text(), "silent")
  })
})

describe("the documents", () => {
  it("are listed, asked for only when they are there, and follow changes", async () => {
    server.documents.set("soul", "calm")
    const { documents } = start()
    await documents.load()
    const user = documents.document("user")
    const soul = documents.document("soul")
    await user.load()
    await soul.load()
    assert.deepStrictEqual([user.state.get().status, soul.text()], ["missing", "calm"])
    assert.strictEqual(server.count("GET /api/workspace/user"), 0)
    server.documents.set("user", "Ada")
    server.emit("file.changed", { path: "USER.md", mtime: 5 })
    await settle(3_000)
    assert.strictEqual(user.text(), "Ada")
    assert.isTrue(documents.state.get().rows.every(({ exists }) => exists))
  })

  it("come first where they are there, and stay in their place when they are made", async () => {
    server.documents.set("user", "Ada")
    const { documents } = start()
    await documents.load()
    const keys = () => documents.state.get().rows.map(({ key }) => key)
    const first = keys()
    assert.strictEqual(first[0], "user")
    server.emit("file.changed", { path: "SOUL.md", mtime: 5 })
    assert.deepStrictEqual(keys(), first)
  })

  it("keep what is unsaved, and say what is too large", async () => {
    server.documents.set("soul", "calm")
    const { documents } = start()
    await documents.load()
    const soul = documents.document("soul")
    await soul.load()
    soul.edit(() => "calmer")
    assert.isTrue(documents.keep())
    assert.isTrue(documents.isUnsaved("soul"))
    server.instead.set("/api/workspace/soul", { status: 413, body: { error: "Request body too large" } })
    assert.isFalse(await soul.save())
    assert.strictEqual(soul.state.get().message, "Documents can't be larger than 100 KB.")
    server.instead.clear()
    assert.isTrue(await soul.save())
    assert.isFalse(documents.keep())
  })
})
