import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { type Fields, fieldsOf } from "../../../../src/contract/looseFields.ts"
import type { BoardActions } from "../../../src/core/board/BoardActions.ts"
import type { BoardStore } from "../../../src/core/board/BoardStore.ts"
import { spotsOf, undoChanges, undoMoves } from "../../../src/core/board/boardUndo.ts"
import { card, FakeBoard, shown } from "./FakeBoard.ts"

let board: FakeBoard
let store: BoardStore
let actions: BoardActions
/** The cards as the server has them. */
let stored: Map<string, Fields>

const change = (id: string, fields: object) => {
  const before = stored.get(id) ?? {}
  const after: Fields = { ...before, ...fields, version: Number(before.version) + 1 }
  stored.set(id, after)
  return after
}

/** Somebody else changes a card. */
const others = (id: string, fields: object) => board.changed(change(id, fields))

/** A server that keeps versions as the real one does. */
const serve = (call: string, body: Fields) => {
  const [, id = "", step] = call.split(/[ /]/).slice(1)
  const latest = stored.get(id) ?? {}
  if (body.version !== latest.version)
    return { status: 409, body: { error: "version_conflict", serverVersion: latest.version, latest } }
  const { version, targetStatus, targetIndex, ...changes } = body
  const fields = step === "reorder" ? { status: targetStatus, columnOrder: targetIndex } : changes
  return { status: 200, body: change(id, fields) }
}

const open = async (...cards: ReadonlyArray<object>) => {
  stored = new Map(cards.map((entry) => [String(fieldsOf(entry).id), { ...entry }]))
  board.cards = [...cards]
  board.onChange = serve
  ;({ store, actions } = board.open())
  await vi.advanceTimersByTimeAsync(1)
}

const patched = async (id: string, fields: object) => {
  const base = store.find(id)
  if (base === null) throw new Error(`no card ${id}`)
  const saved = await actions.patch(base, fields)
  await vi.advanceTimersByTimeAsync(1)
  if (!saved.ok) throw new Error(saved.message)
  return saved.value
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  board = new FakeBoard()
})
afterEach(() => vi.useRealTimers())

describe("undoing on the board", () => {
  it("puts moved cards back between the same neighbors, whatever else changed on them", async () => {
    await open(card("a", { columnOrder: 0 }), card("b", { columnOrder: 1 }), card("c", { columnOrder: 2 }))
    const spots = spotsOf(store.state.get().columns, ["b", "a"])
    assert.deepStrictEqual(
      spots.map(({ id, above }) => [id, above]),
      [
        ["a", null],
        ["b", "a"]
      ]
    )
    await actions.moveAll(["b", "a"], "done", "end")
    others("a", { title: "Renamed by someone else" })
    await vi.advanceTimersByTimeAsync(1)
    assert.deepStrictEqual([shown(store, "todo"), shown(store, "done")], [["c"], ["b", "a"]])

    assert.deepStrictEqual(await undoMoves({ store, actions }, spots, "done"), [])
    await vi.advanceTimersByTimeAsync(1)
    assert.deepStrictEqual([shown(store, "todo"), shown(store, "done")], [["a", "b", "c"], []])
    assert.strictEqual(store.find("a")?.title, "Renamed by someone else")
  })

  it("leaves a card that was moved on in the meantime, and says so", async () => {
    await open(card("a"))
    const spots = spotsOf(store.state.get().columns, ["a"])
    await actions.move("a", "review", "end")
    others("a", { status: "done" })
    await vi.advanceTimersByTimeAsync(1)
    assert.deepStrictEqual(await undoMoves({ store, actions }, spots, "review"), [
      "“Card a” was moved again in the meantime, so it stays where it is."
    ])
    assert.strictEqual(store.find("a")?.status, "done")
  })

  it("restores only the fields it changed, with the latest version", async () => {
    await open(card("a", { priority: "low", labels: ["mine"] }))
    const saved = await patched("a", { priority: "high", labels: ["new"] })
    others("a", { title: "Renamed", labels: ["new", "theirs"] })
    await vi.advanceTimersByTimeAsync(1)
    assert.deepStrictEqual(await undoChanges(actions, [saved]), [])
    await vi.advanceTimersByTimeAsync(1)
    const after = store.find("a")
    assert.deepStrictEqual(
      [after?.priority, after?.title, after?.labels.toSorted(), board.asked.at(-1)?.body.version],
      ["low", "Renamed", ["mine", "theirs"], 3]
    )
  })

  it("leaves a field that someone else changed too, even if only the server knows yet, and says so", async () => {
    await open(card("a", { priority: "low", estimateMin: 5 }))
    const saved = await patched("a", { priority: "high", estimateMin: 10 })
    change("a", { priority: "critical" })
    assert.deepStrictEqual(await undoChanges(actions, [saved]), [
      "Priority of “Card a” was changed again in the meantime, so it stays as it is."
    ])
    await vi.advanceTimersByTimeAsync(1)
    assert.deepStrictEqual([store.find("a")?.priority, store.find("a")?.estimateMin], ["critical", 5])
  })

  it("keeps a label that someone else added before the change was saved", async () => {
    await open(card("a", { labels: ["old"] }))
    change("a", { labels: ["old", "theirs"] })
    const saved = await patched("a", { labels: ["old", "mine"] })
    assert.deepStrictEqual(await undoChanges(actions, [saved]), [])
    await vi.advanceTimersByTimeAsync(1)
    assert.deepStrictEqual(store.find("a")?.labels, ["old", "theirs"])
  })
})
