import { assert, describe, it } from "@effect/vitest"
import { familyGraph, familyOf, nodeBeside } from "../../../src/core/board/familyGraph.ts"
import { foundCards } from "../../../src/core/board/foundCards.ts"
import { startOfValue, startValue } from "../../../src/core/board/startTime.ts"
import { NO_CARDS } from "../../../src/core/board/visibleBoard.ts"
import { task } from "./FakeBoard.ts"

const ids = (cards: ReadonlyArray<{ readonly id: string }>) => cards.map(({ id }) => id).sort()

describe("a family of cards", () => {
  const cards = [
    task("plan"),
    task("build", { after: ["plan"] }),
    task("test", { after: ["build"] }),
    task("docs", { after: ["plan"] }),
    task("ship", { after: ["test", "docs", "gone"] }),
    task("part", { parentId: "build" }),
    task("other")
  ]
  const graph = familyGraph(familyOf(cards, "docs"))
  const layers = Object.fromEntries(graph.nodes.map(({ layer, task: { id } }) => [id, layer]))

  it("is everything that is linked, in whatever direction", () => {
    assert.deepStrictEqual(ids(familyOf(cards, "docs")), ["build", "docs", "part", "plan", "ship", "test"])
    assert.deepStrictEqual(ids(familyOf(cards, "other")), ["other"])
    assert.deepStrictEqual(familyOf(cards, "nobody"), [])
  })
  it("has each card one layer beyond the last that comes before it", () => {
    assert.deepStrictEqual(layers, { plan: 0, build: 1, docs: 1, test: 2, part: 2, ship: 3 })
    assert.deepStrictEqual([graph.layers, graph.rows], [4, 2])
    assert.deepInclude(graph.edges, { from: "build", to: "part", kind: "part" })
    assert.lengthOf(graph.edges, 6)
  })
  it("is walked within and between layers", () => {
    const idBeside = (id: string, layer: number, row: number) => nodeBeside(graph, id, { layer, row })?.task.id
    assert.strictEqual(idBeside("plan", 1, 0), "build")
    assert.strictEqual(idBeside("build", 0, 1), "docs")
    assert.isUndefined(idBeside("ship", 1, 0))
    assert.isUndefined(idBeside("plan", 0, -1))
  })
  it("puts a whole after the parts that it waits for", () => {
    const whole = familyGraph([task("a", { after: ["b"] }), task("b", { parentId: "a" })])
    assert.deepStrictEqual(
      whole.nodes.map(({ layer, task: { id } }) => [id, layer]),
      [
        ["b", 0],
        ["a", 1]
      ]
    )
  })
  it("has each card once when parts and waits go round in a circle", () => {
    const circle = [task("a", { after: ["c"] }), task("b", { parentId: "a" }), task("c", { after: ["b"] })]
    assert.lengthOf(familyGraph(familyOf(circle, "a")).nodes, 3)
  })
  it("of 500 cards in 50 layers is laid out at once", () => {
    const many = Array.from({ length: 500 }, (_, index) =>
      task(`n${index}`, {
        after: index < 10 ? [] : [`n${index - 10}`, `n${index - 10 - (index % 10) + ((index + 3) % 10)}`]
      })
    )
    const began = performance.now()
    const large = familyGraph(familyOf(many, "n0"))
    assert.deepStrictEqual([large.nodes.length, large.layers], [500, 50])
    assert.isBelow(performance.now() - began, 1_000)
  })
})

describe("cards by words of their titles", () => {
  it("come with those that aren't over first, then the last changed, without those left out", () => {
    const columns = {
      ...NO_CARDS,
      todo: [task("a", { title: "Fix the import", updatedAt: 1 }), task("b", { title: "Import photos", updatedAt: 2 })],
      done: [task("c", { title: "Import maps", status: "done", updatedAt: 9 })]
    }
    const found = (typed: string, out = "") => foundCards(columns, typed, ({ id }) => id === out, 8).map(({ id }) => id)
    assert.deepStrictEqual(found("IMPORT"), ["b", "a", "c"])
    assert.deepStrictEqual(found("fix imp"), ["a"])
    assert.deepStrictEqual(found("", "b"), ["a", "c"])
  })
})

describe("a start time", () => {
  it("survives its field to the minute", () => {
    const at = new Date(2026, 0, 5, 7, 4).getTime()
    assert.strictEqual(startValue(at), "2026-01-05T07:04")
    assert.strictEqual(startOfValue(startValue(at)), at)
    assert.deepStrictEqual([startValue(null), startOfValue(""), startOfValue("2026")], ["", null, Date.UTC(2026)])
  })
})
