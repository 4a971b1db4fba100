import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { FeedMessage } from "../../../../src/services/gateway/feed/feedMessage.ts"
import { readHistoryMessage, readMessage } from "../../../../src/services/gateway/feed/feedMessage.ts"
import { makeSeen, mayHaveNews, unread } from "../../../../src/services/gateway/feed/feedRules.ts"

const HOUR = 60 * 60 * 1000
const said = (index: number, at = index): FeedMessage => ({
  sessionKey: "s",
  id: `m${index}`,
  at,
  runId: undefined,
  message: { role: "assistant" },
  isCut: false
})
const marks = { since: 5, sessions: 10 * HOUR, crons: 0 }
const all = Array.from({ length: 20 }, (_, index) => said(index))
const cursor = (index: number) => ({ lastId: `m${index}`, at: index, deltaCursor: undefined })
const ids = (messages: ReadonlyArray<FeedMessage>) => messages.map(({ id }) => id)

describe("what of a session's messages is new", () => {
  it.prop(
    "is published once and in order, wherever the console stopped and however much the page shows",
    [Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 19 })))],
    ([stops]) => {
      let last = -1
      const told: Array<string> = []
      const begun = { since: -1, sessions: -1, crons: 0 }
      for (const stop of [...stops, 19]) {
        const page = all.slice(0, Math.max(stop, last, 0) + 1)
        const { messages } = unread({ messages: page, isNews: false }, last === -1 ? undefined : cursor(last), begun)
        told.push(...ids(messages))
        last = Math.max(stop, last)
      }
      assert.deepStrictEqual(told, ids(all))
    }
  )

  it("is what came later where the last one read is gone, as after a reset", () => {
    const gone = { lastId: "gone", at: 17, deltaCursor: undefined }
    const found = unread({ messages: all, isNews: false }, gone, marks)
    assert.deepStrictEqual([ids(found.messages), found.hasGap], [["m18", "m19"], false])
  })

  it("has a gap when all of the page is new", () => {
    assert.isTrue(unread({ messages: all.slice(10), isNews: false }, cursor(3), marks).hasGap)
    assert.isFalse(unread({ messages: all.slice(10), isNews: true }, cursor(3), marks).hasGap)
  })

  it("of a session that was never read is what began up to an hour before the general mark, but not before the feed", () => {
    const late = [said(1, 8 * HOUR), said(2, 9.5 * HOUR), said(3, 11 * HOUR)]
    assert.deepStrictEqual(ids(unread({ messages: late, isNews: false }, undefined, marks).messages), ["m2", "m3"])
    const young = { ...marks, since: 10 * HOUR }
    assert.deepStrictEqual(ids(unread({ messages: late, isNews: false }, undefined, young).messages), ["m3"])
  })

  it("is looked for in sessions that changed since the mark, give or take some seconds", () => {
    assert.isTrue(mayHaveNews(10 * HOUR - 10_000, marks))
    assert.isFalse(mayHaveNews(9 * HOUR, marks))
  })

  it("is published once, as long as it's remembered", () => {
    const seen = makeSeen(2)
    assert.deepStrictEqual(
      ["a", "a", "b", "c", "a"].map((id) => seen.isFirst(id)),
      [true, false, true, true, true]
    )
  })
})

describe("a message", () => {
  const message = { role: "assistant", content: [{ type: "text", text: "Hi" }], timestamp: 7 }

  it("is the same in events and in the history", () => {
    const live = readMessage({ sessionKey: "s", message, messageId: "m", runId: "r", session: {} })
    const listed = readHistoryMessage("s", { ...message, __openclaw: { id: "m", seq: 1, runId: "r" } })
    assert.deepInclude(live, { sessionKey: "s", id: "m", at: 7, runId: "r" })
    assert.deepInclude(listed, { sessionKey: "s", id: "m", at: 7, runId: "r" })
  })

  it("without an id, or of another shape, is left out", () => {
    assert.isUndefined(readMessage({ sessionKey: "s", message }))
    for (const odd of [null, 7, {}, { sessionKey: "s", messageId: "m", message: { role: 1 } }])
      assert.isUndefined(readMessage(odd))
  })
})
