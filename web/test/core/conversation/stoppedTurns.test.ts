import { assert, describe, it } from "@effect/vitest"
import { decodeHistory } from "../../../../src/services/conversations/history/chatHistory.ts"
import { shownItem } from "../../../src/core/conversation/shownChat.ts"
import { shortOf } from "../support/chatHarness.ts"
import { assistant, call, said, toolResult, user } from "../support/turnFrames.ts"

const shown = (messages: ReadonlyArray<object>) =>
  decodeHistory({ messages }).entries.map(({ item }) => shortOf(shownItem(item)))

/** What a gateway writes when it stops a turn: all that the turn has said. */
const note = (text: string, at: number) =>
  assistant([said(text)], at, undefined, {
    provider: "openclaw",
    model: "gateway-injected",
    openclawAbort: { aborted: true, origin: "rpc", runId: "r" }
  })
const aborted = (text: string, at: number) =>
  assistant(text === "" ? [] : [said(text)], at, undefined, { stopReason: "aborted" })
const using = (text: string, at: number) =>
  assistant([...(text === "" ? [] : [said(text)]), call("c1")], at, undefined, { stopReason: "toolUse" })

describe("a stopped answer", () => {
  it.each([
    ["the note before the model's message", [note("one two", 20), aborted("one two", 20)], "one two"],
    ["the model's message before the note", [aborted("one two", 10), note("one two", 20)], "one two"],
    ["a note that has more", [aborted("one tw", 10), note("one two", 20)], "one two"],
    ["a note that has less", [aborted("one two", 10), note("one tw", 20)], "one two"],
    ["a note alone", [note("one two", 20)], "one two"],
    ["the model's message alone", [aborted("one two", 10)], "one two"]
  ])("shows what it said once, and that it was stopped once: %s", (_, messages, text) => {
    assert.deepStrictEqual(shown([user("go", 1), ...messages]), ["user: go", `assistant: ${text}`, "aborted"])
  })

  it.each([
    ["the note", [aborted("one\n\ntwo  three", 10), note("one two three", 20)]],
    ["the note, which also lacks a character", [aborted("# One\n\ntwo three", 10), note("# One\ntwo thre", 20)]],
    ["the model's message", [aborted("one two", 10), note("one\ntwo three", 20)]]
  ])("shows it once where %s has other white space", (_, messages) => {
    const items = shown([user("go", 1), ...messages])
    assert.deepStrictEqual(
      items.map((item) => item.split(":")[0]),
      ["user", "assistant", "aborted"]
    )
  })

  it("shows each part once where the note puts other white space between and in them", () => {
    const messages = [
      user("go", 1),
      using("let me\n\nlook", 10),
      toolResult("c1", "found", 11),
      aborted("it  is", 12),
      note("let me\nlook it is", 20)
    ]
    assert.deepStrictEqual(
      shown(messages).filter((item) => item.startsWith("assistant")),
      ["assistant: let me\n\nlook", "assistant: it  is"]
    )
  })

  it("shows nothing twice where nothing was said, and the next turn is another one", () => {
    assert.deepStrictEqual(shown([user("go", 1), aborted("", 2), user("again", 3), aborted("half", 4)]), [
      "user: go",
      "aborted",
      "user: again",
      "assistant: half",
      "aborted"
    ])
  })

  it("keeps words that only one of the two has", () => {
    assert.deepStrictEqual(shown([user("go", 1), aborted("something else", 2), note("one two", 20)]), [
      "user: go",
      "assistant: something else",
      "assistant: one two",
      "aborted"
    ])
  })
})

describe("an answer stopped in the middle of a tool", () => {
  const SEEN = ["user: go", "assistant: let me look"]

  it("shows the tool as stopped, whatever the gateway says of it, and the words before it once", () => {
    const messages = [
      user("go", 1),
      using("let me look", 10),
      note("let me look", 20),
      toolResult("c1", "Command aborted by signal SIGTERM", 21),
      aborted("", 22)
    ]
    const text = "Command aborted by signal SIGTERM"
    assert.deepStrictEqual(shown(messages), [...SEEN, `tool exec aborted: ${text}`, "aborted"])
    const silent = [user("go", 1), using("", 10), toolResult("c1", text, 21), aborted("", 22)]
    assert.deepStrictEqual(shown(silent), ["user: go", `tool exec aborted: ${text}`, "aborted"])
  })

  it("shows one without a result as stopped", () => {
    assert.deepStrictEqual(shown([user("go", 1), using("let me look", 10), note("let me look", 20)]), [
      ...SEEN,
      "tool exec aborted: ",
      "aborted"
    ])
  })

  it("leaves tools alone that had ended before, and shows what was said after them", () => {
    const before = [user("go", 1), using("let me look", 10), toolResult("c1", "found", 15)]
    const after = [...SEEN, "tool exec done: found", "assistant: So it", "aborted"]
    assert.deepStrictEqual(shown([...before, aborted("So it", 16), note("let me look\n\nSo it", 20)]), after)
    assert.deepStrictEqual(shown([...before, note("let me lookSo it", 20)]), after)
    assert.deepStrictEqual(shown([...before, aborted("", 16)]), [...SEEN, "tool exec done: found", "aborted"])
  })
})

describe("a failure that the gateway tried to get over", () => {
  const failed = (at: number, errorMessage = "429 slow down") =>
    assistant([], at, undefined, { stopReason: "error", errorMessage })
  const SLOW = "error: The model's provider is limiting requests. Wait a minute, then try again."

  it("shows once, in each turn", () => {
    assert.deepStrictEqual(shown([user("go", 1), failed(2), failed(3), failed(4), user("again", 5), failed(6)]), [
      "user: go",
      SLOW,
      "user: again",
      SLOW
    ])
  })

  it("shows with another one that came of it", () => {
    const messages = [user("go", 1), failed(2), failed(3, "HTTP 500")]
    assert.strictEqual(shown(messages).filter((item) => item.startsWith("error")).length, 2)
  })

  it("does not show where an answer followed", () => {
    assert.deepStrictEqual(shown([user("go", 1), failed(2), failed(3), assistant([said("here")], 4)]), [
      "user: go",
      "assistant: here"
    ])
  })
})
