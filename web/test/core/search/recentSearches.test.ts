import { assert, describe, it } from "@effect/vitest"
import { memoryStorage } from "../../../src/core/link/browserEnvironment.ts"
import { forgetSearches, recentSearches, rememberSearch } from "../../../src/core/search/searchOf.ts"

describe("recent searches", () => {
  it("keep the latest ones, newest first and each once", () => {
    const storage = memoryStorage()
    for (const text of ["one", "two", " ONE ", ""]) rememberSearch(storage, text)
    assert.deepStrictEqual(recentSearches(storage), ["ONE", "two"])
    for (let count = 0; count < 20; count++) rememberSearch(storage, `more ${count}`)
    assert.strictEqual(recentSearches(storage).length, 8)
    assert.strictEqual(recentSearches(storage)[0], "more 19")
  })

  it("can be forgotten, and survive what isn't theirs", () => {
    const storage = memoryStorage()
    storage.setItem("agent-console:searches", "{broken")
    assert.deepStrictEqual(recentSearches(storage), [])
    rememberSearch(storage, "one")
    forgetSearches(storage)
    assert.deepStrictEqual(recentSearches(storage), [])
  })
})
