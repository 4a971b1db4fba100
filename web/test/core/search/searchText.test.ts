import { assert, describe, it } from "@effect/vitest"
import type { SearchHit, SearchState } from "../../../src/core/search/SearchStore.ts"
import { searchText } from "../../../src/core/search/searchText.ts"

const hit = (kind: SearchHit["kind"], sessionKey: string | null = null): SearchHit => ({
  kind,
  gatewayId: "primary",
  agent: null,
  sessionKey,
  sessionTitle: null,
  messageId: null,
  taskId: null,
  title: null,
  path: null,
  at: 1,
  role: null,
  snippet: []
})

const said = (hits: ReadonlyArray<SearchHit>, change: Partial<SearchState> = {}) =>
  searchText({
    text: "lamp",
    status: "ready",
    hits,
    shown: "lamp",
    problem: null,
    cursor: null,
    nearest: [],
    isLoadingMore: false,
    isBuilding: false,
    progress: null,
    paused: null,
    ...change
  })

describe("searchText", () => {
  it("says how many there are, and in which order if there are several groups", () => {
    assert.strictEqual(said([hit("task"), hit("task")]), "2 results")
    assert.strictEqual(said([hit("task"), hit("memory")]), "2 results · newest first in each group")
    assert.strictEqual(said([hit("message", "a"), hit("message", "b")]), "2 results · newest first in each group")
    assert.strictEqual(said([hit("task"), hit("memory")], { text: "lamp sort:relevance" }), "2 results")
    assert.strictEqual(said([hit("task")], { isBuilding: true }), "1 result · index being built")
  })
})
