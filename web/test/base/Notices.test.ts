import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { createNotices, type Notices } from "../../src/base/Notices.ts"

describe("Notices", () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const texts = (notices: Notices) => notices.shown.get().map((notice) => notice.text)

  it("a message leaves by itself, one with an action stays, and none is shown twice", () => {
    const notices = createNotices()
    notices.show("info", "saved")
    notices.show("info", "saved")
    notices.show("error", "broken", { label: "Reload", run: () => {} })
    assert.deepStrictEqual(texts(notices), ["saved", "broken"])
    vi.advanceTimersByTime(60_000)
    assert.deepStrictEqual(texts(notices), ["broken"])
  })

  it("an offer to undo either undoes or makes final, never both", () => {
    const log: Array<string> = []
    const notices = createNotices()
    const offer = (name: string) =>
      notices.offerUndo(
        name,
        () => log.push(`${name} undone`),
        () => log.push(`${name} final`)
      )
    offer("a")
    offer("b")
    notices.act(notices.shown.get()[0]?.id ?? 0)
    vi.advanceTimersByTime(5_000)
    assert.deepStrictEqual(log, ["a undone"])
    vi.advanceTimersByTime(5_000)
    assert.deepStrictEqual(log, ["a undone", "b final"])
    offer("c")
    notices.finish()
    assert.deepStrictEqual(log, ["a undone", "b final", "c final"])
    vi.advanceTimersByTime(60_000)
    assert.strictEqual(log.length, 3)
  })

  it("no time passes while somebody is at the messages", () => {
    const notices = createNotices()
    notices.offerUndo("deleted", () => {})
    vi.advanceTimersByTime(7_900)
    notices.hold()
    notices.show("info", "came meanwhile")
    vi.advanceTimersByTime(60_000)
    assert.deepStrictEqual(texts(notices), ["deleted", "came meanwhile"])
    notices.release()
    vi.advanceTimersByTime(1_900)
    assert.include(texts(notices), "deleted")
    vi.advanceTimersByTime(200)
    assert.notInclude(texts(notices), "deleted")
  })

  it("an offer pushed out by newer messages is final", () => {
    const log: Array<string> = []
    const notices = createNotices()
    notices.offerUndo(
      "old",
      () => {},
      () => log.push("final")
    )
    for (const text of ["1", "2", "3"]) notices.show("info", text)
    assert.deepStrictEqual(texts(notices), ["1", "2", "3"])
    assert.deepStrictEqual(log, ["final"])
  })
})
