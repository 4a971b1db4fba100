import { assert, it } from "@effect/vitest"
import { withoutSent } from "../../../src/core/board/CommentThread.ts"

it.each([
  ["what was sent", "one", "one", ""],
  ["what was sent, with spaces around it", " one \n", "one", ""],
  ["what was written below it meanwhile", "one\ntwo", "one", "two"],
  ["what took its place meanwhile", "two", "one", "two"],
  ["what was changed meanwhile", "on", "one", "on"],
  ["nothing", "", "one", ""]
])("a field keeps what was typed while its text was stored: %s", (_, now, sent, kept) => {
  assert.strictEqual(withoutSent(now, sent), kept)
})
