import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { readAnswer } from "../../../../src/services/board/proposals/readAnswer.ts"

const create = (inside: string) => `[kanban:create]${inside}[/kanban:create]`
const update = (inside: string) => `[kanban:update]${inside}[/kanban:update]`
const LEFT_OUT = "marker was ignored:"

/** Markers that cannot be used, and what is said of them. */
const DAMAGED = [
  [create('{"titel": 1}'), `a [kanban:create] ${LEFT_OUT} it needs a title (it has titel)`],
  [create("{}"), `a [kanban:create] ${LEFT_OUT} it needs a title`],
  [create('{"title": 5}'), `a [kanban:create] ${LEFT_OUT} its title must have 1 to 500 characters`],
  [create('{"title": "  "}'), `a [kanban:create] ${LEFT_OUT} its title must have 1 to 500 characters`],
  [create('{"title": "T", }'), `a [kanban:create] ${LEFT_OUT} its content isn't a JSON object`],
  [create("Buy milk"), `a [kanban:create] ${LEFT_OUT} its content isn't a JSON object`],
  [create('["T"]'), `a [kanban:create] ${LEFT_OUT} its content isn't a JSON object`],
  [create(`{"title": "${"x".repeat(2100)}"}`), `a [kanban:create] ${LEFT_OUT} it's longer than 2 KB`],
  [update('{"title": "T"}'), `a [kanban:update] ${LEFT_OUT} it needs a task id (it has title)`]
] as const

describe("the markers of an answer", () => {
  it.each(DAMAGED)("%s", (marker, fault) => {
    const { text, asks, faults } = readAnswer(`Before. ${marker} After.`)
    assert.strictEqual(text, "Before.  After.")
    assert.deepStrictEqual(asks, [])
    assert.deepStrictEqual(faults, [fault])
  })

  it("that are whole are no fault, nor is speech", () => {
    const marker = create('{"title": "T", "description": "[/kanban:create] is how one ends"}')
    const { asks, faults } = readAnswer(`[tts: hello] ${marker} and ${update('{"id": "a", "status": "done"}')}`)
    assert.lengthOf(asks, 2)
    assert.deepStrictEqual(faults, [])
  })

  it("name the field that does not fit", () => {
    const { faults } = readAnswer(create('{"title": "T", "priority": "urgent"}'))
    assert.lengthOf(faults, 1)
    assert.match(faults[0] ?? "", /^a \[kanban:create\] marker was ignored: priority: \S+/)
  })

  it("beyond five are reported, and many faults are summed up", () => {
    const whole = create('{"title": "T"}').repeat(7)
    const { asks, faults } = readAnswer(whole)
    assert.lengthOf(asks, 5)
    assert.deepStrictEqual(faults, Array(2).fill(`a [kanban:create] ${LEFT_OUT} only 5 per answer are allowed`))
    const many = readAnswer(create("{}").repeat(50)).faults
    assert.lengthOf(many, 6)
    assert.strictEqual(many.at(-1), "45 more markers were ignored")
  })

  it.prop("are either requested or reported, with any content", [Schema.Array(Schema.String)], (insides) => {
    const clean = insides[0].map((inside) => inside.replaceAll("[", "")).slice(0, 5)
    const { asks, faults } = readAnswer(clean.map(create).join("\n"))
    assert.strictEqual(asks.length + faults.length, clean.length)
  })
})
