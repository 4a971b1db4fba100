import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { markFound } from "../../src/chat/foundMessage.ts"

/** As much of a page as holds one message, "one two one". */
const stubPage = (marks: Map<string, ReadonlyArray<object>>) => {
  const nodes = [{ textContent: "one two one" }]
  vi.stubGlobal("CSS", { highlights: marks, escape: (text: string) => text })
  vi.stubGlobal("NodeFilter", { SHOW_TEXT: 4 })
  vi.stubGlobal("document", {
    querySelector: () => ({}),
    createTreeWalker: () => {
      const left = [...nodes]
      return { nextNode: () => left.shift() ?? null }
    }
  })
  vi.stubGlobal(
    "Range",
    class {
      setStart() {}
      setEnd() {}
    }
  )
  vi.stubGlobal(
    "Highlight",
    class {
      readonly ranges: ReadonlyArray<object>
      constructor(...ranges: ReadonlyArray<object>) {
        this.ranges = ranges
      }
    }
  )
}

describe("marks of a search", () => {
  const marks = new Map<string, ReadonlyArray<object>>()
  beforeEach(() => {
    vi.useFakeTimers()
    marks.clear()
    stubPage(marks)
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it("appear once the found message is drawn", () => {
    markFound(["one"], "k")
    vi.advanceTimersByTime(1_000)
    assert.strictEqual(marks.size, 1)
  })

  it("don't come back after the search was cleared or closed", () => {
    markFound(["one"], "k")
    markFound([], null)
    vi.advanceTimersByTime(1_000)
    assert.strictEqual(marks.size, 0)
  })
})
