import { assert, it } from "@effect/vitest"
import { laterMessages } from "../../../src/core/board/runProgress.ts"
import type { ChatItem } from "../../../src/core/conversation/chatTypes.ts"

const user = (text: string, at: number | null): ChatItem => ({
  kind: "user",
  key: text,
  at,
  text,
  images: [],
  delivery: "sent",
  error: null
})
const shown = (items: ReadonlyArray<ChatItem>, startedAt = 10) =>
  laterMessages({ items }, startedAt).map(({ text }) => text)

it("the messages to an agent during a run are shown without the card's own text, the newest three", () => {
  const assistant: ChatItem = { kind: "aborted", key: "x", at: 12 }
  assert.deepStrictEqual(shown([user("the card", 10)]), [])
  assert.deepStrictEqual(shown([user("the card", 10), assistant, user("also", 12), user("on its way", null)]), [
    "also",
    "on its way"
  ])
  const many = ["a", "b", "c", "d"].map((text) => user(text, 20))
  assert.deepStrictEqual(shown([user("the card", 10), ...many]), ["b", "c", "d"])
})

it("what was said before the run is left out", () => {
  assert.deepStrictEqual(shown([user("an earlier card", 1), user("earlier", 2), user("the card", 10)], 11), [])
})
