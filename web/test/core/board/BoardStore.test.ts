import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { forgetBoard } from "../../../src/core/board/lastBoard.ts"
import { CONFIG, card, FakeBoard, shown } from "./FakeBoard.ts"

let board: FakeBoard
const settle = () => vi.advanceTimersByTimeAsync(1)

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  board = new FakeBoard()
})
afterEach(() => vi.useRealTimers())

describe("reading", () => {
  it("takes every page, the configuration and the proposals", async () => {
    board.pageSize = 2
    board.cards = [card("a"), card("b"), card("c", { status: "done" })]
    board.proposals = [{ id: "p", type: "create", payload: { title: "New" }, proposedAt: 5 }]
    const { store } = board.open()
    assert.strictEqual(store.state.get().status, "loading")
    await settle()
    const state = store.state.get()
    assert.strictEqual(state.status, "ready")
    assert.deepStrictEqual([shown(store, "todo"), shown(store, "done")], [["a", "b"], ["c"]])
    assert.strictEqual(state.config?.columns.length, 6)
    assert.deepStrictEqual(
      state.proposals.map(({ id }) => id),
      ["p"]
    )
  })

  it("events that arrive while the list is read win over it, and a list that moved is read again", async () => {
    board.pageSize = 2
    board.cards = [card("a"), card("b"), card("c"), card("d")]
    let told = false
    board.onPage = (offset) => {
      if (offset !== 2 || told) return
      told = true
      board.changed(card("c", { version: 2, title: "newer", columnOrder: 2 }))
      board.tell({ kind: "task", action: "deleted", id: "a" })
      board.cards = [card("b"), card("c", { version: 2, title: "newer" }), card("d")]
    }
    const { store } = board.open()
    await settle()
    assert.strictEqual(store.find("c")?.title, "newer")
    assert.deepStrictEqual(shown(store, "todo"), ["b", "c", "d"])
    assert.isAbove(board.reads, 2)
  })

  it("a failure is said, the stream coming back reads again, and a later failure keeps what is shown", async () => {
    board.readable = false
    board.connected.set(false)
    const { store } = board.open()
    await settle()
    assert.strictEqual(store.state.get().status, "failed")
    assert.match(store.state.get().message ?? "", /server/)
    board.readable = true
    board.cards = [card("a"), card("b")]
    board.connected.set(true)
    await settle()
    assert.deepStrictEqual([store.state.get().status, shown(store, "todo")], ["ready", ["a", "b"]])
    board.readable = false
    await store.refresh()
    assert.deepStrictEqual([store.state.get().status, shown(store, "todo")], ["ready", ["a", "b"]])
  })
})

describe("the board of the last visit", () => {
  it("is shown while the console can't be reached, with its time, until it's read again", async () => {
    board.cards = [card("a"), card("b", { status: "done" })]
    board.open()
    await settle()
    board.reachable = false
    const { store } = board.open()
    await vi.advanceTimersByTimeAsync(60_000)
    assert.deepStrictEqual([store.state.get().status, shown(store, "todo")], ["ready", ["a"]])
    assert.strictEqual(store.state.get().readAt, 1_000_000)
    board.reachable = true
    board.cards = [card("a"), card("c")]
    await store.refresh()
    assert.deepStrictEqual([store.state.get().readAt, shown(store, "todo")], [null, ["a", "c"]])
  })

  it("isn't shown in place of what the server says, nor once it was forgotten", async () => {
    board.cards = [card("a")]
    board.open()
    await settle()
    board.readable = false
    const refused = board.open().store
    await settle()
    assert.strictEqual(refused.state.get().status, "failed")
    forgetBoard(board.storage)
    board.reachable = false
    const { store } = board.open()
    await vi.advanceTimersByTimeAsync(60_000)
    assert.strictEqual(store.state.get().status, "failed")
  })
})

describe("events", () => {
  it("move, change and delete cards, in the order of the server; older news is ignored", async () => {
    board.cards = [card("a"), card("b"), card("c")]
    const { store } = board.open()
    await settle()
    board.changed(card("c", { version: 2, columnOrder: 0 }))
    board.changed(card("a", { version: 3, status: "review" }))
    board.changed(card("a", { version: 2, title: "old news" }))
    await settle()
    assert.deepStrictEqual([shown(store, "todo"), shown(store, "review")], [["c", "b"], ["a"]])
    assert.strictEqual(store.find("a")?.title, "Card a")
    board.tell({ kind: "task", action: "deleted", id: "b" })
    board.tell({ kind: "config", action: "updated", id: "config", config: { ...CONFIG, reviewRequired: false } })
    board.tell({ kind: "nonsense" })
    board.tell([])
    await settle()
    assert.deepStrictEqual(shown(store, "todo"), ["c"])
    assert.isFalse(store.state.get().config?.reviewRequired)
  })

  it("unchanged columns and cards stay the same objects, so only what changed is drawn", async () => {
    board.cards = [card("a"), card("b"), card("c", { status: "done" })]
    const { store } = board.open()
    await settle()
    const before = store.state.get().columns
    board.changed(card("a", { version: 2, title: "new" }))
    await settle()
    const after = store.state.get().columns
    assert.strictEqual(after.done, before.done)
    assert.strictEqual(after.todo[1], before.todo[1])
    assert.notStrictEqual(after.todo[0], before.todo[0])
  })

  it("a resolved proposal replaces the waiting one, never the other way round", async () => {
    const waiting = { id: "p", type: "create", payload: { title: "x" }, proposedAt: 1, version: 1, status: "pending" }
    board.proposals = [waiting]
    const { store } = board.open()
    await settle()
    board.tell({
      kind: "proposal",
      action: "resolved",
      id: "p",
      proposal: { ...waiting, version: 2, status: "approved" }
    })
    board.tell({ kind: "proposal", action: "created", id: "p", proposal: waiting })
    await settle()
    assert.deepStrictEqual(
      store.state.get().proposals.map(({ status }) => status),
      ["approved"]
    )
  })
})
