import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Board } from "../../../src/services/board/Board.ts"
import { boardInMemory } from "../../../test/support/boardStores.ts"
import { HARBOUR_GUIDE } from "../../src/demo/harbourGuide.ts"
import { replyTo } from "../../src/demo/replyTo.ts"
import { seedBoard } from "../../src/demo/seedBoard.ts"
import { seedFamily } from "../../src/demo/seedFamily.ts"

const prompt = (text: string) => ({ text, images: [], model: "demo/scholar", thinkingLevel: "medium" })

it.effect("the harbour guide has parts that wait for each other, and one that waits for a person's card", () =>
  Effect.gen(function* () {
    const board = yield* Board
    yield* TestClock.setTime(Date.UTC(2026, 10, 20, 9))
    yield* seedBoard()
    yield* seedFamily()
    const { items } = yield* board.list({ statuses: [], priorities: [], limit: 200, offset: 0 })
    const idOf = (title: string) => items.find((task) => task.title === title)?.id ?? title
    const waitsOf = (title: string) =>
      items.find((task) => task.title === title)?.waitsFor?.flatMap(({ id, kind }) => (kind === "card" ? [id] : []))
    const titles = HARBOUR_GUIDE.map(({ title }) => title)
    for (const [at, title] of titles.entries()) {
      const persons = at === titles.length - 1 ? ["Ask the printer for a quote"] : []
      assert.deepStrictEqual(waitsOf(title), [...titles.slice(0, at), ...persons].map(idOf), title)
    }
    assert.deepStrictEqual(items.find(({ title }) => title === "Publish the harbour guide")?.children, {
      total: 4,
      done: 0
    })
  }).pipe(Effect.provide(Layer.provide(Board.layer, boardInMemory)))
)

it("the agent does the card itself, not the ones whose results it was handed", () => {
  for (const [at, { result, title }] of HARBOUR_GUIDE.entries()) {
    const before = HARBOUR_GUIDE.slice(0, at).map((work) => `## ${work.title}\n\n${work.result}`)
    const steps = replyTo(prompt([title, "Results of the tasks before this one:", ...before].join("\n\n")))
    assert.deepStrictEqual(steps.at(-1), { type: "text", text: result })
  }
})
