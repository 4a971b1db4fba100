import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { handOver } from "../../../../src/services/board/runs/handOver.ts"
import { runPrompt } from "../../../../src/services/board/runs/runPrompt.ts"
import { onEveryStore } from "../onEveryStore.ts"

const NOTE = "[The rest of this result is left out here. It is on the card.]"

describe("results that are handed over", () => {
  it("are under their titles, and those without a text are left out", () => {
    const given = [
      { title: "One", result: "first" },
      { title: "Two", result: " \n" },
      { title: "Three", result: "third" }
    ]
    assert.strictEqual(handOver(given), "Results of the tasks before this one:\n\n## One\n\nfirst\n\n## Three\n\nthird")
    assert.isUndefined(handOver([]))
  })

  it("are cut at a line, each and all together, with a note", () => {
    const lines = "123456789\n".repeat(1000)
    const text = handOver([1, 2, 3, 4].map((number) => ({ title: `Card ${number}`, result: lines }))) ?? ""
    const [, ...parts] = text.split("## ")
    assert.deepStrictEqual(
      parts.map((part) => part.split("123456789").length - 1),
      [800, 800, 800, 0].map((count, index) => (index === 3 ? 0 : count))
    )
    for (const part of parts) assert.isTrue(part.trimEnd().endsWith(NOTE))
  })

  it("are never cut inside a character", () => {
    const text = handOver([{ title: "T", result: `a${"😀".repeat(5000)}` }]) ?? ""
    assert.isTrue(text.isWellFormed())
  })

  it("come after what the prompt began with before", () => {
    const prompt = runPrompt({ title: "T", description: "D", feedback: [] }, [], [{ title: "One", result: "r" }])
    assert.strictEqual(prompt, "T\n\nD\n\nResults of the tasks before this one:\n\n## One\n\nr")
  })
})

onEveryStore("a started card", ({ makeBoardWorld }) => {
  it.effect.each([true, false])("is told the results of the cards before it, if handOver is %s", (isOn) =>
    Effect.gen(function* () {
      const { board, gateway, runs, settle } = yield* makeBoardWorld()
      const first = yield* board.create({ title: "First", status: "done" })
      yield* board.patch(first.id, { version: 1, result: "It's 42." })
      const open = yield* board.create({ title: "Open" })
      yield* board.patch(open.id, { version: 1, result: "Not yet." })
      const empty = yield* board.create({ title: "Empty", status: "done" })
      if (!isOn) yield* board.updateConfig({ handOver: false })
      const card = yield* board.create({ title: "Card", after: [open.id, empty.id, first.id] })
      yield* runs.execute(card.id, { force: true })
      yield* settle
      const sent = gateway.calls.find(({ method }) => method === "chat.send")?.params.message
      assert.strictEqual(sent, isOn ? "Card\n\nResults of the tasks before this one:\n\n## First\n\nIt's 42." : "Card")
    })
  )
})
