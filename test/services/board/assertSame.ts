import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { BoardShape } from "../../../src/services/board/BoardShape.ts"

const everything = { statuses: [], priorities: [], limit: 200, offset: 0 } as const

/** A page of tasks as text is the page itself; returns the page. */
export const assertSame = Effect.fnUntraced(function* (board: BoardShape, query: object = {}) {
  const page = yield* board.list({ ...everything, ...query })
  assert.strictEqual(yield* board.listText({ ...everything, ...query }), JSON.stringify(page))
  return page
})
