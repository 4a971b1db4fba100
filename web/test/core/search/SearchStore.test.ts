import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import type { ApiResult } from "../../../src/core/link/apiTypes.ts"
import { createSearchStore, PAUSE_MS, type SearchStore } from "../../../src/core/search/SearchStore.ts"
import { pausedText, searchText } from "../../../src/core/search/searchText.ts"
import { asAnswer } from "../support/asAnswer.ts"

interface Question {
  readonly path: string
  readonly signal: AbortSignal | undefined
  readonly answer: (body: unknown) => Promise<void>
  readonly refuse: (message: string, retryAfterMs?: number) => Promise<void>
}

let questions: Array<Question>
let store: SearchStore

const hit = (text: string) => ({ kind: "message", gatewayId: "primary", at: 1, snippet: [{ text, hit: true }] })
const page = (texts: ReadonlyArray<string>, more: object = {}) => ({ hits: texts.map(hit), state: "ready", ...more })
const shown = () => store.state.get().hits.map(({ snippet }) => snippet[0]?.text)

beforeEach(() => {
  vi.useFakeTimers()
  questions = []
  store = createSearchStore({
    around: () => ({ now: 0, sessions: [] }),
    api: {
      request: (_, path, decode, options = {}) =>
        new Promise((resolve) => {
          const settle = async (result: ApiResult<never>) => {
            resolve(result)
            await vi.advanceTimersByTimeAsync(0)
          }
          questions.push({
            path,
            signal: options.signal,
            answer: async (body) => {
              const value = decode(asAnswer(body))
              assert.isNotNull(value)
              resolve({ ok: true, value })
              await vi.advanceTimersByTimeAsync(0)
            },
            refuse: (message, retryAfterMs) =>
              settle({
                ok: false,
                error: { kind: "server", status: 500, message, retryAfterMs: retryAfterMs ?? null, body: null }
              })
          })
        })
    }
  })
})
afterEach(() => vi.useRealTimers())

const last = (): Question => {
  const question = questions.at(-1)
  if (question === undefined) throw new Error("nothing was asked")
  return question
}

describe("SearchStore", () => {
  it("asks once after a pause, however many keys were pressed before", async () => {
    for (const text of ["d", "de", "dep"]) {
      store.type(text)
      await vi.advanceTimersByTimeAsync(PAUSE_MS - 1)
    }
    assert.strictEqual(questions.length, 0)
    assert.strictEqual(searchText(store.state.get()), "Searching…")
    await vi.advanceTimersByTimeAsync(1)
    assert.deepStrictEqual(
      questions.map(({ path }) => path),
      ["/api/search?q=dep*&limit=30"]
    )
  })

  it("drops the answer to what isn't written any more, and keeps the hits until the next come", async () => {
    void store.search("one ")
    await last().answer(page(["1"]))
    void store.search("two ")
    const second = last()
    void store.search("three ")
    assert.isTrue(second.signal?.aborted)
    await second.answer(page(["2"]))
    assert.deepStrictEqual(shown(), ["1"])
    await last().answer(page(["3"]))
    assert.deepStrictEqual(shown(), ["3"])
    assert.strictEqual(store.state.get().shown, "three ")
  })

  it("asks for nothing without a word to look for", async () => {
    store.type("kind:task from:me")
    await vi.advanceTimersByTimeAsync(10_000)
    assert.strictEqual(questions.length, 0)
    assert.strictEqual(searchText(store.state.get()), "Add a word to look for")
    store.type("")
    assert.strictEqual(searchText(store.state.get()), "")
  })

  it("doesn't repeat a question that was answered", async () => {
    void store.search("one ")
    await last().answer(page(["1"]))
    await store.search("one ")
    assert.strictEqual(questions.length, 1)
    assert.deepStrictEqual(shown(), ["1"])
    assert.strictEqual(store.state.get().status, "ready")
  })

  it("loads more by the cursor, once at a time, and drops what comes after another search", async () => {
    void store.search("one ")
    await last().answer(page(["1"], { cursor: "c/1" }))
    assert.strictEqual(searchText(store.state.get()), "1+ result")
    void store.more()
    void store.more()
    assert.strictEqual(questions.length, 2)
    assert.strictEqual(last().path, "/api/search?q=one&limit=30&cursor=c%2F1")
    await last().answer(page(["2"], { cursor: "c2" }))
    assert.deepStrictEqual(shown(), ["1", "2"])
    void store.more()
    const late = last()
    void store.search("two ")
    const next = last()
    await late.answer(page(["3"]))
    await next.answer(page(["other"]))
    assert.deepStrictEqual(shown(), ["other"])
    await store.more()
    assert.strictEqual(questions.length, 4)
  })

  it("keeps the hits when more of them fail, and tries again", async () => {
    void store.search("one ")
    await last().answer(page(["1"], { cursor: "c" }))
    void store.more()
    await last().refuse("No.")
    assert.deepInclude(store.state.get(), { problem: "No.", status: "ready", isLoadingMore: false })
    void store.more()
    await last().answer(page(["2"]))
    assert.deepStrictEqual(shown(), ["1", "2"])
    assert.isNull(store.state.get().problem)
  })

  it("says why a search failed, and retries on request or at the server's time", async () => {
    void store.search("one ")
    await last().refuse("The search is broken.")
    assert.deepInclude(store.state.get(), { status: "failed", problem: "The search is broken." })
    void store.retry()
    await last().refuse("Too many requests.", 2_000)
    await vi.advanceTimersByTimeAsync(2_000)
    assert.strictEqual(questions.length, 3)
    await last().answer(page(["1"]))
    assert.deepStrictEqual(shown(), ["1"])
  })

  it("follows an index that is being built while someone looks", async () => {
    const stop = store.watch()
    void store.search("one ")
    await last().answer(page([], { state: "building", progress: 0.437 }))
    assert.strictEqual(searchText(store.state.get()), "Nothing found · index being built, 43 %")
    await vi.advanceTimersByTimeAsync(3_000)
    assert.strictEqual(questions.length, 2)
    await last().answer(page(["1"], { state: "building" }))
    assert.strictEqual(searchText(store.state.get()), "1 result · index being built")
    stop()
    await vi.advanceTimersByTimeAsync(60_000)
    assert.strictEqual(questions.length, 2)
    store.watch()
    await vi.advanceTimersByTimeAsync(3_000)
    await last().answer(page(["1", "2"]))
    assert.strictEqual(searchText(store.state.get()), "2 results")
    await vi.advanceTimersByTimeAsync(60_000)
    assert.strictEqual(questions.length, 3)
  })

  it("says that the index is paused and why, until it goes on", async () => {
    store.watch()
    void store.search("one ")
    await last().answer(page(["1"], { paused: "free up some space" }))
    assert.strictEqual(searchText(store.state.get()), "1 result · index paused")
    assert.strictEqual(pausedText(store.state.get().paused ?? ""), "The index is paused: free up some space.")
    // As long as nobody asks anything else, that's how it is.
    store.type("")
    assert.strictEqual(store.state.get().paused, "free up some space")
    void store.search("one ")
    await last().answer(page(["1"], { paused: "free up some space" }))
    await vi.advanceTimersByTimeAsync(3_000)
    await last().answer(page(["1", "2"]))
    assert.isNull(store.state.get().paused)
    assert.strictEqual(searchText(store.state.get()), "2 results")
  })

  it("leaves hits beyond the first page where they are while the index grows", async () => {
    store.watch()
    const many = Array.from({ length: 30 }, (_, index) => `${index}`)
    void store.search("one ")
    await last().answer(page(many, { state: "building", cursor: "c" }))
    void store.more()
    await last().answer(page(["30"], { state: "building" }))
    await vi.advanceTimersByTimeAsync(3_000)
    await last().answer(page(["new"], {}))
    assert.strictEqual(shown().length, 31)
    assert.isFalse(store.state.get().isBuilding)
  })
})
