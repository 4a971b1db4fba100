import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Board } from "../../../src/services/board/Board.ts"
import { loadBudgets } from "../../../src/services/budgets/budgetTable.ts"
import { Sqlite } from "../../../src/services/platform/sqlite/Sqlite.ts"
import { boardInMemory } from "../../../test/support/boardStores.ts"
import { replyTo } from "../../src/demo/replyTo.ts"
import { seedBudget } from "../../src/demo/seedBudget.ts"

const prompt = (text: string) => ({ text, images: [], model: "demo/scholar", thinkingLevel: "medium" })

it.effect("a card with a budget of $0.20 costs more than that, and knows what to do after the pause", () =>
  Effect.gen(function* () {
    yield* seedBudget()
    const sqlite = yield* Sqlite
    const [budget] = yield* sqlite.read(loadBudgets)
    const { items } = yield* (yield* Board).list({ statuses: ["todo"], priorities: [], limit: 9, offset: 0 })
    assert.deepStrictEqual(budget?.scope, { kind: "task", taskId: items[0]?.id ?? "" })
    assert.deepStrictEqual(budget?.limit, { usd: 0.2 })
    const pages = replyTo(prompt(items[0]?.title ?? "")).filter(({ type }) => type === "tool")
    assert.isAbove(pages.length, 12)
    const [goesOn] = replyTo(prompt("Your work was paused because its budget was used up. It may go on now: …"))
    assert.containSubset(goesOn, { type: "text", text: "Thank you, I'm going on where I stopped." })
    const [sum] = replyTo(prompt("The budget for this work is used up. Sum up in one last answer, …"))
    assert.match(sum?.type === "text" ? sum.text : "", /Left/)
  }).pipe(Effect.provide(Board.layer.pipe(Layer.provideMerge(boardInMemory))))
)
