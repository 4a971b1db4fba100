import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import type { BoardActions } from "../../../src/core/board/BoardActions.ts"
import type { BoardStore } from "../../../src/core/board/BoardStore.ts"
import { card, FakeBoard, shown } from "./FakeBoard.ts"

let board: FakeBoard
let store: BoardStore
let actions: BoardActions
const settle = (ms = 1) => vi.advanceTimersByTimeAsync(ms)

const open = async (...cards: ReadonlyArray<object>) => {
  board.cards = [...cards]
  ;({ store, actions } = board.open())
  await settle()
}
const get = (id: string) => {
  const found = store.find(id)
  if (found === null) throw new Error(`no card ${id}`)
  return found
}
const conflict = (latest: object) => ({
  status: 409,
  body: { error: "version_conflict", serverVersion: 9, latest }
})

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  board = new FakeBoard()
})
afterEach(() => vi.useRealTimers())

describe("moving", () => {
  it("is shown at once and sent with version and index", async () => {
    await open(card("a"), card("b"), card("r", { status: "review" }))
    board.onChange = () => ({ status: 200, body: card("a", { version: 2, status: "review", columnOrder: 1 }) })
    const done = actions.move("a", "review", { after: "r" })
    assert.deepStrictEqual([shown(store, "todo"), shown(store, "review")], [["b"], ["r", "a"]])
    assert.isTrue(store.state.get().saving.has("a"))
    assert.isTrue((await done).ok)
    await settle()
    assert.deepStrictEqual(board.asked, [
      { call: "POST tasks/a/reorder", body: { version: 1, targetStatus: "review", targetIndex: 1 } }
    ])
    assert.isFalse(store.state.get().saving.has("a"))
    assert.deepStrictEqual(shown(store, "review"), ["r", "a"])
  })

  it("a version conflict is answered with the newer version and the neighbour's new place", async () => {
    await open(card("a"), card("b"), card("c"))
    board.onChange = (_call, { version }) => {
      if (version === 1) {
        board.changed(card("x", { columnOrder: 0 }))
        return conflict(card("a", { version: 5, title: "renamed", columnOrder: 1 }))
      }
      return { status: 200, body: card("a", { version: 6, title: "renamed", columnOrder: 3 }) }
    }
    assert.isTrue((await actions.move("a", "todo", { after: "c" })).ok)
    await settle()
    assert.deepStrictEqual(
      board.asked.map(({ body }) => [body.version, body.targetIndex]),
      [
        [1, 2],
        [5, 3]
      ]
    )
    assert.deepStrictEqual(shown(store, "todo"), ["x", "b", "c", "a"])
    assert.strictEqual(get("a").title, "renamed")
  })

  it("gives way when somebody else moved the card to another column", async () => {
    await open(card("a"))
    board.onChange = () => conflict(card("a", { version: 2, status: "done" }))
    const done = await actions.move("a", "review", "end")
    await settle()
    assert.isTrue(!done.ok && done.reason === "elsewhere")
    assert.deepStrictEqual([shown(store, "review"), shown(store, "done")], [[], ["a"]])
  })

  it("a card that another client deleted meanwhile leaves the board without a fault", async () => {
    await open(card("a"), card("b"))
    board.onChange = () => {
      board.tell({ kind: "task", action: "deleted", id: "a" })
      return { status: 404, body: { error: "not_found" } }
    }
    const done = await actions.move("a", "review", { before: "nowhere" })
    await settle()
    assert.isTrue(!done.ok && done.reason === "gone")
    assert.deepStrictEqual([shown(store, "todo"), shown(store, "review")], [["b"], []])
    assert.isFalse((await actions.move("a", "done", "end")).ok)
  })

  it("any other failure puts the card back and says why", async () => {
    await open(card("a"), card("b"))
    board.onChange = () => ({ status: 500, body: {} })
    const done = await actions.move("a", "todo", "end")
    await settle()
    assert.isTrue(!done.ok && done.reason === "failed" && done.message.length > 10)
    assert.deepStrictEqual(shown(store, "todo"), ["a", "b"])
  })

  it("two quick moves of one card go out one after the other, each with the version before it", async () => {
    await open(card("a"))
    let version = 1
    board.onChange = (_call, body) => ({
      status: 200,
      body: { ...card("a", { version: ++version }), status: body.targetStatus }
    })
    await Promise.all([actions.move("a", "in-progress", "end"), actions.move("a", "review", "end")])
    await settle()
    assert.deepStrictEqual(
      board.asked.map(({ body }) => [body.version, body.targetStatus]),
      [
        [1, "in-progress"],
        [2, "review"]
      ]
    )
    assert.deepStrictEqual(shown(store, "review"), ["a"])
  })

  it("several cards keep their order at their new place", async () => {
    await open(card("a"), card("b"), card("c"), card("r", { status: "review" }))
    const placed: Array<string> = ["r"]
    board.onChange = (call, body) => {
      const id = call.split("/")[1] ?? ""
      placed.splice(Number(body.targetIndex), 0, id)
      return { status: 200, body: card(id, { version: 2, status: "review", columnOrder: placed.indexOf(id) }) }
    }
    const done = actions.moveAll(["a", "c", "b"], "review", { before: "r" })
    assert.deepStrictEqual(shown(store, "review"), ["a", "c", "b", "r"])
    assert.isTrue((await done).every(({ ok }) => ok))
    await settle()
    assert.deepStrictEqual(placed, ["a", "c", "b", "r"])
    assert.deepStrictEqual(shown(store, "review"), ["a", "c", "b", "r"])
  })

  it("waits for a rate limit and goes on", async () => {
    await open(card("a"))
    let first = true
    board.onChange = () => {
      if (!first) return { status: 200, body: card("a", { version: 2, status: "done" }) }
      first = false
      return { status: 429, body: {}, headers: { "retry-after": "3" } }
    }
    const done = actions.move("a", "done", "end")
    await settle(2_900)
    assert.lengthOf(board.asked, 1)
    await settle(200)
    assert.isTrue((await done).ok)
  })
})

describe("editing", () => {
  it("a conflict is merged field by field: mine, theirs, and what both changed is left to decide", async () => {
    await open(card("a", { description: "old", labels: ["x", "y"] }))
    const base = get("a")
    board.onChange = (_call, body) =>
      body.version === 1
        ? conflict(card("a", { version: 2, title: "their title", priority: "low", labels: ["x", "y", "z"] }))
        : {
            status: 200,
            body: card("a", {
              version: 3,
              title: "their title",
              priority: "low",
              description: "new",
              labels: ["x", "z"]
            })
          }
    const done = await actions.patch(base, { title: "my title", description: "new", labels: ["x"] })
    assert.isTrue(done.ok)
    if (!done.ok) return
    assert.deepStrictEqual(done.value.conflicts, [
      { field: "title", base: "Card a", mine: "my title", theirs: "their title" },
      { field: "description", base: "old", mine: "new", theirs: null }
    ])
    assert.deepStrictEqual(board.asked.at(-1)?.body, { version: 2, labels: ["x", "z"] })
  })

  it("what somebody else already wrote the same way is not sent again", async () => {
    await open(card("a"))
    const base = get("a")
    board.changed(card("a", { version: 2, title: "same" }))
    const done = await actions.patch(base, { title: "same" })
    assert.isTrue(done.ok && done.value.conflicts.length === 0)
    assert.lengthOf(board.asked, 0)
  })

  it("is shown while it is saved", async () => {
    await open(card("a"), card("b"))
    let answer = (_: { readonly status: number; readonly body: object }) => {}
    board.onChange = () =>
      new Promise((resolve) => {
        answer = resolve
      })
    const done = actions.patch(get("a"), { title: "new", dueAt: 5 })
    await settle()
    assert.deepStrictEqual([get("a").title, get("a").dueAt], ["new", 5])
    answer({ status: 400, body: { error: "validation_error", details: "title: no" } })
    const outcome = await done
    await settle()
    assert.isTrue(!outcome.ok && outcome.message === "title: no")
    assert.strictEqual(get("a").title, "Card a")
  })
})

describe("deleting", () => {
  it("hides at once and deletes when it is decided", async () => {
    await open(card("a"), card("b"), card("c"))
    board.onChange = () => ({ status: 200, body: { ok: true } })
    const removal = actions.remove(["a", "c"])
    assert.deepStrictEqual(shown(store, "todo"), ["b"])
    await settle(60_000)
    assert.lengthOf(board.asked, 0)
    assert.isNull(await removal.commit())
    assert.deepStrictEqual(
      board.asked.map(({ call }) => call),
      ["DELETE tasks/a", "DELETE tasks/c"]
    )
    await settle()
    assert.deepStrictEqual(shown(store, "todo"), ["b"])
    removal.undo()
    assert.lengthOf(board.asked, 2)
  })

  it("undo brings the cards back to their places and deletes nothing", async () => {
    await open(card("a"), card("b"))
    const removal = actions.remove(["a"])
    removal.undo()
    assert.isNull(await removal.commit())
    await settle()
    assert.deepStrictEqual(shown(store, "todo"), ["a", "b"])
    assert.lengthOf(board.asked, 0)
  })

  it("a card that cannot be deleted comes back, one that is gone already stays away", async () => {
    await open(card("a"), card("b"))
    board.onChange = (call) => (call.endsWith("/a") ? { status: 500, body: {} } : { status: 404, body: {} })
    assert.isNotNull(await actions.remove(["a", "b"]).commit())
    await settle()
    assert.deepStrictEqual(shown(store, "todo"), ["a"])
  })
})

describe("steps", () => {
  it("are asked of the server and taken as it answers", async () => {
    await open(card("a"))
    const run = { sessionKey: "agent:main:task-a-1", startedAt: 5, status: "running" } as const
    board.onChange = () => ({ status: 200, body: card("a", { version: 2, status: "in-progress", run }) })
    assert.isTrue((await actions.step("a", "execute", { model: "demo/swift" })).ok)
    await settle()
    assert.deepStrictEqual(board.asked[0], { call: "POST tasks/a/execute", body: { model: "demo/swift" } })
    assert.strictEqual(get("a").run?.status, "running")
    board.onChange = () => ({
      status: 409,
      body: { error: "invalid_transition", from: "done", to: "review", details: "the task is not in review" }
    })
    const refused = await actions.step("a", "approve", {})
    assert.deepStrictEqual(refused, { ok: false, message: "the task is not in review", waitsFor: null })
  })
})
