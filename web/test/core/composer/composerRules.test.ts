import { assert, describe, it } from "@effect/vitest"
import { type Composed, composedText, listStep, sendStep } from "../../../src/core/composer/composerRules.ts"

describe("sending", () => {
  const PLAIN: Composed = { text: "hello", isRunning: false, editing: null }
  it.each([
    ["a message", {}, "message"],
    ["nothing of a message written anew", { editing: "m1", text: " \n" }, "nothing"],
    ["/stop while the agent works", { text: " /stop ", isRunning: true, editing: "m1" }, "stop"],
    ["/stop while it does not", { text: "/stop" }, "message"],
    ["/new, which asks first", { text: "/new" }, "clear"],
    ["/reset with words behind it, while the agent works", { text: "/Reset and begin", isRunning: true }, "clear"],
    ["/new with a colon, in place of an earlier message", { text: " /new: hello", editing: "m1" }, "clear"],
    ["/new with its words on the next line", { text: "/new\nhello" }, "clear"],
    ["a path that begins like a command", { text: "/newsletter and /reset/me" }, "message"],
    ["words about the command", { text: "what does /new do?" }, "message"]
  ] as const)("%s", (_, changes, step) => {
    assert.strictEqual(sendStep({ ...PLAIN, ...changes }), step)
  })
})

it("words from elsewhere go below what is written, or take its place when a message is written anew", () => {
  assert.strictEqual(composedText("mine", "theirs", null), "mine\ntheirs")
  assert.strictEqual(composedText(" \n", "theirs", null), "theirs")
  assert.strictEqual(composedText("mine", "", null), "mine")
  assert.strictEqual(composedText("mine", "theirs", "m1"), "theirs")
})

describe("the list of commands", () => {
  const NONE = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
  const press = (key: string, marked: number, count: number, changes: Partial<typeof NONE> = {}) =>
    listStep({ ...NONE, ...changes, key }, marked, count)

  it("is walked round by the arrows", () => {
    assert.deepStrictEqual(press("ArrowDown", 2, 3), { kind: "mark", marked: 0 })
    assert.deepStrictEqual(press("ArrowUp", 0, 3), { kind: "mark", marked: 2 })
  })

  it("gives the marked line to Tab and Enter, also when it has become shorter", () => {
    assert.deepStrictEqual(press("Enter", 1, 3), { kind: "choose", index: 1 })
    assert.deepStrictEqual(press("Tab", 4, 3), { kind: "choose", index: 1 })
  })

  it("is closed by Escape", () => assert.deepStrictEqual(press("Escape", 0, 3), { kind: "close" }))

  it("leaves other keys and combined ones alone, and all when it is empty", () => {
    assert.isNull(press("a", 0, 3))
    assert.isNull(press("Enter", 0, 0))
    for (const held of ["ctrlKey", "metaKey", "altKey", "shiftKey"]) {
      assert.isNull(press("Enter", 0, 3, { [held]: true }), held)
    }
  })
})
