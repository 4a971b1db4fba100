import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import type { ApiResult } from "../../../src/core/link/apiTypes.ts"
import { createLiveQuery, type LiveQuery } from "../../../src/core/operations/LiveQuery.ts"

type Answer = ApiResult<number>
const failure = (message: string, retryAfterMs: number | null = null): Answer => ({
  ok: false,
  error: { kind: "gateway", status: 502, message, retryAfterMs, body: null }
})

let pending: Array<(answer: Answer) => void>
let changed: () => void
let listening: number
let query: LiveQuery<number>

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  pending = []
  listening = 0
  query = createLiveQuery<number>({
    now: Date.now,
    load: () => new Promise((resolve) => pending.push(resolve)),
    sources: [
      (tell) => {
        listening++
        changed = tell
        return () => {
          listening--
        }
      }
    ]
  })
})
afterEach(() => vi.useRealTimers())

const answer = async (value: Answer) => {
  pending.shift()?.(value)
  await vi.advanceTimersByTimeAsync(0)
}

describe("a live question", () => {
  it("is asked when somebody looks, and listens only while somebody does", async () => {
    const one = query.open()
    const two = query.open()
    assert.deepStrictEqual([pending.length, listening], [1, 1])
    await answer({ ok: true, value: 1 })
    await answer({ ok: true, value: 2 })
    assert.deepInclude(query.state.get(), { value: 2, busy: false, problem: null })
    one()
    one()
    assert.strictEqual(listening, 1)
    two()
    assert.strictEqual(listening, 0)
    await vi.advanceTimersByTimeAsync(10_000)
    assert.strictEqual(pending.length, 0)
  })

  it("asks once for a burst of changes, and again for one that came while asking", async () => {
    query.open()
    await answer({ ok: true, value: 1 })
    for (let index = 0; index < 20; index++) changed()
    await vi.advanceTimersByTimeAsync(999)
    assert.strictEqual(pending.length, 0)
    await vi.advanceTimersByTimeAsync(1)
    assert.strictEqual(pending.length, 1)
    changed()
    await answer({ ok: true, value: 2 })
    assert.strictEqual(pending.length, 1)
    await answer({ ok: true, value: 3 })
    assert.strictEqual(query.state.get().value, 3)
  })

  it("keeps the last answer beside a failure, and tries again when the server said when", async () => {
    query.open()
    await answer({ ok: true, value: 1 })
    void query.refresh()
    await answer(failure("The gateway is away.", 5_000))
    assert.deepInclude(query.state.get(), { value: 1, problem: "The gateway is away.", busy: false })
    await vi.advanceTimersByTimeAsync(5_000)
    await answer({ ok: true, value: 2 })
    assert.deepInclude(query.state.get(), { value: 2, problem: null })
  })
})
