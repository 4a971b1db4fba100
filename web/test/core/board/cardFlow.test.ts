import { assert, describe, it, vi } from "@effect/vitest"
import { catalogueOf } from "../../../../scripts/pageTexts.ts"
import type { Task as Card } from "../../../../src/contract/schema/task.ts"
import { matchesFilter, NO_FILTER } from "../../../src/core/board/boardFilter.ts"
import type { Task } from "../../../src/core/board/boardTypes.ts"
import { createCardFlow } from "../../../src/core/board/cardFlow.ts"
import { NO_CARDS, type VisibleColumns } from "../../../src/core/board/visibleBoard.ts"
import { circleText, waitNote, waitSentence } from "../../../src/core/board/waitText.ts"
import { task } from "./FakeBoard.ts"

const NOW = new Date(2026, 10, 28, 9, 30).getTime()
const HOUR = 3_600_000

const boardOf = (cards: ReadonlyArray<Task>): VisibleColumns => {
  const columns: Record<string, ReadonlyArray<Task>> = {}
  for (const card of cards) columns[card.status] = [...(columns[card.status] ?? []), card]
  return { ...NO_CARDS, ...columns }
}

const flowing = (cards: ReadonlyArray<Task>, { now = NOW, isPartial = false } = {}) => {
  const { changesAt, columns } = createCardFlow().of(boardOf(cards), {
    find: (id) => cards.find((card) => card.id === id),
    isPartial,
    now
  })
  const shown = new Map(
    Object.values(columns)
      .flat()
      .map((card) => [card.id, card])
  )
  return { changesAt, get: (id: string) => shown.get(id) ?? task("none") }
}

const noteOf = (fields: Partial<Card>, others: ReadonlyArray<Task> = [], now = NOW) =>
  waitNote(flowing([task("a", fields), ...others], { now }).get("a"), now)

describe("what a card waits for", () => {
  it("is the card before it, until that one is done, without a word from the server", () => {
    const first = task("b", { title: "Fix import", status: "in-progress" })
    assert.strictEqual(noteOf({ after: ["b"] }, [first]), "after Fix import")
    assert.isNull(noteOf({ after: ["b"] }, [{ ...first, status: "done" }]))
    const told = { kind: "card", id: "b", details: "Fix import isn't done" } as const
    assert.isNull(noteOf({ after: ["b"], waitsFor: [told] }, [{ ...first, status: "done" }]))
    assert.isNull(noteOf({ after: ["b"], status: "review" }, [first]))
  })
  it("is counted when there are several cards before it", () => {
    const [b, c, d] = [task("b", { status: "done" }), task("c"), task("d", { status: "cancelled" })]
    assert.strictEqual(noteOf({ after: ["b", "c", "d"] }, [b, c, d]), "1 of 3")
    assert.strictEqual(noteOf({ after: ["b", "c"] }, [b, c]), "after Card c")
  })
  it("is a person when the card before it was deleted, unless the page doesn't know every card", () => {
    assert.strictEqual(noteOf({ after: ["gone"] }), "after a deleted card")
    const { get } = flowing([task("a", { after: ["far"] })], { isPartial: true })
    assert.deepStrictEqual(get("a").waitsFor, [])
  })
  it("is its time until the clock reaches it, which the board is told of", () => {
    const startAt = NOW + HOUR
    const { changesAt } = flowing([task("a", { startAt }), task("b", { startAt: startAt + 1 })])
    assert.strictEqual(changesAt, startAt)
    assert.match(noteOf({ startAt }) ?? "", /^at 10:30/)
    assert.match(noteOf({ startAt: NOW + 30 * HOUR }) ?? "", /^starts tomorrow at/)
    assert.isNull(noteOf({ startAt }, [], startAt))
  })
  it("is what the server says of everything else, and says it of an agent's cards only", () => {
    const wait = (kind: "capacity" | "stop" | "gateway" | "person") => ({ waitsFor: [{ kind, details: "" }] })
    assert.strictEqual(noteOf({ autoStart: true, ...wait("capacity") }), "agent busy")
    assert.strictEqual(noteOf({ assignee: "agent:main", ...wait("gateway") }), "gateway away")
    assert.strictEqual(noteOf({ autoStart: true, ...wait("person") }), "automatic starts are off")
    assert.isNull(noteOf({ assignee: "operator", ...wait("stop") }))
  })
  it("says what lasts longest first", () => {
    const waitsFor = [{ kind: "capacity", details: "" } as const]
    assert.strictEqual(noteOf({ after: ["b"], autoStart: true, waitsFor }, [task("b")]), "after Card b")
  })
  it("is said in a sentence each where there's room", () => {
    const { get } = flowing([task("a", { after: ["b", "gone"], startAt: NOW + HOUR }), task("b")])
    const sentences = get("a").waitsFor.map((wait) => waitSentence(wait, NOW))
    assert.deepStrictEqual(sentences.slice(0, 2), [
      "“Card b” isn't done yet.",
      "A card it was to start after was deleted."
    ])
    assert.match(sentences[2] ?? "", /^It's to start in 1 hr/)
    const [busy] = task("c", {
      waitsFor: [{ kind: "capacity", details: "its agent main works on another card" }]
    }).waitsFor
    assert.strictEqual(busy && waitSentence(busy, NOW), "Its agent main works on another card.")
  })
  it("is said in the page's language by its code", async () => {
    vi.resetModules()
    vi.stubGlobal("document", { documentElement: { lang: "de" } })
    vi.stubGlobal("pageTexts", catalogueOf("de"))
    const { waitsOf } = await import("../../../src/core/board/readBoard.ts")
    const why = { code: "AGENT_IS_BUSY", values: { agent: "main" } }
    const [wait] = waitsOf([{ kind: "capacity", details: "its agent main works on another card", why }])
    assert.strictEqual(wait?.details, "Ihr Agent main arbeitet an einer anderen Karte.")
    vi.unstubAllGlobals()
    vi.resetModules()
  })
  it("is the card before it again when that one is restored", () => {
    const told = { kind: "person", id: "b", details: "a card it waits for was deleted" } as const
    assert.strictEqual(noteOf({ after: ["b"], waitsFor: [told] }, [task("b")]), "after Card b")
  })
  it("decides which cards are ready and which are blocked", () => {
    const { get } = flowing([task("a", { after: ["b"] }), task("b"), task("c", { status: "done" })])
    const shown = (start: "ready" | "blocked") =>
      ["a", "b", "c"].filter((id) => matchesFilter(get(id), { ...NO_FILTER, start }, NOW))
    assert.deepStrictEqual([shown("ready"), shown("blocked")], [["b"], ["a"]])
  })
})

describe("a board that flows", () => {
  it("counts the parts of a card that are done", () => {
    const { get } = flowing([
      task("a"),
      task("b", { parentId: "a", status: "done" }),
      task("c", { parentId: "a", status: "cancelled" })
    ])
    assert.deepStrictEqual(get("a").children, { total: 2, done: 1 })
    assert.isNull(get("b").children)
  })
  it("keeps the objects of cards that haven't changed, and of whole columns", () => {
    const flow = createCardFlow()
    const cards = [task("a", { after: ["b"] }), task("b"), task("c")]
    const known = { isPartial: false, now: NOW }
    const columns = boardOf(cards)
    const find = (list: ReadonlyArray<Task>) => (id: string) => list.find((card) => card.id === id)
    const before = flow.of(columns, { ...known, find: find(cards) }).columns
    assert.strictEqual(flow.of(columns, { ...known, find: find(cards) }).columns.todo, before.todo)
    assert.strictEqual(before.todo[2], cards[2])
    const next = [cards[0] ?? task("a"), task("b", { version: 2, status: "done" }), cards[2] ?? task("c")]
    const after = flow.of(boardOf(next), { ...known, find: find(next) }).columns
    assert.deepStrictEqual(after.todo[0]?.waitsFor, [])
    assert.strictEqual(after.todo[1], cards[2])
  })
})

describe("a circle", () => {
  it("is said with the cards on it", () => {
    const failure = { kind: "conflict", status: 409, message: "cycle", retryAfterMs: null } as const
    const find = (id: string) => (id === "gone" ? undefined : { title: `Card ${id}` })
    const text = circleText({ ...failure, body: { error: "cycle", path: ["a", "b", "gone", "a"] } }, find)
    assert.strictEqual(text, "The cards would wait for each other in a circle: Card a → Card b → gone → Card a.")
    assert.isNull(circleText({ ...failure, body: { error: "version_conflict" } }, find))
  })
})
