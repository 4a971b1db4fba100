import { assert, describe, it } from "@effect/vitest"
import { momentOf, searchAddress, searchQuery } from "../../../src/core/search/searchQuery.ts"

const NOW = new Date(2026, 10, 20, 15, 30).getTime()
const day = (year: number, month: number, date: number) => new Date(year, month - 1, date).getTime()

const around = {
  now: NOW,
  sessions: [
    { key: "agent:main:main", title: "Main" },
    { key: "agent:main:1", title: "Daily report" }
  ]
}
const read = (text: string) => searchQuery(text, around)

describe("searchQuery", () => {
  it("takes filters out of the words", () => {
    const query = read("kind:card deploy from:me agent:main plan ")
    assert.deepInclude(query, { words: "deploy plan", kinds: ["task"], roles: ["user"], agent: "main" })
  })

  it("leaves unknown filters, and ones whose value means nothing, as words", () => {
    for (const text of [
      "colour:red",
      "kind:fish",
      "from:nobody",
      "before:soon",
      "sort:best",
      "toString:x",
      "kind:constructor"
    ])
      assert.deepInclude(read(`${text} `), { words: text, kinds: [], roles: [] }, text)
  })

  it("several kinds and roles are a choice, each once", () => {
    const query = read("kind:memory kind:docs kind:document from:agent from:tool x ")
    assert.deepStrictEqual(query.kinds, ["memory", "document"])
    assert.deepStrictEqual(query.roles, ["assistant", "tool"])
  })

  it("finds a session by key, by title, and by the beginning of a title", () => {
    assert.strictEqual(read("session:agent:main:1 x").session, "agent:main:1")
    assert.strictEqual(read('session:"daily REPORT" x').session, "agent:main:1")
    assert.strictEqual(read("session:dail x").session, "agent:main:1")
    assert.strictEqual(read("session:agent:other:2 x").session, "agent:other:2")
  })

  it("looks for the word after tool: in what tools returned", () => {
    assert.deepInclude(read("tool:exec failed "), { words: "exec failed", roles: ["tool"] })
  })

  it("keeps phrases, words that must not occur, and stars as they are written", () => {
    assert.strictEqual(read('"exact phrase" -without begin* ').words, '"exact phrase" -without begin*')
  })

  it("takes the last word for a beginning until a space follows", () => {
    assert.strictEqual(read("the deplo").words, "the deplo*")
    assert.strictEqual(read("the deplo ").words, "the deplo")
    assert.strictEqual(read("deplo from:me").words, "deplo")
  })

  it("but not short words, identifiers, numbers, or scripts whose words have no beginnings", () => {
    for (const text of ["de", "sessionKey", "a1b2c3", "検索する", "-with", '"phr'])
      assert.strictEqual(read(text).words, text, text)
  })
})

describe("momentOf", () => {
  it("reads days, months and years as their beginning here", () => {
    assert.strictEqual(momentOf("2026-11-05", NOW), day(2026, 11, 5))
    assert.strictEqual(momentOf("2026-11", NOW), day(2026, 11, 1))
    assert.strictEqual(momentOf("2026", NOW), day(2026, 1, 1))
  })

  it("reads words and spans", () => {
    assert.strictEqual(momentOf("today", NOW), day(2026, 11, 20))
    assert.strictEqual(momentOf("Yesterday", NOW), day(2026, 11, 19))
    assert.strictEqual(momentOf("2w", NOW), day(2026, 11, 6))
    assert.strictEqual(momentOf("1y", NOW), day(2025, 11, 20))
    assert.strictEqual(momentOf("3m", NOW), day(2026, 8, 20))
    assert.strictEqual(momentOf("12h", NOW), NOW - 12 * 3_600_000)
  })

  it("knows no day that doesn't exist", () => {
    for (const text of ["2026-02-30", "2026-13", "26-1-1", "soon", ""]) assert.isNull(momentOf(text, NOW), text)
  })
})

describe("searchAddress", () => {
  it("names every filter once, and leaves out what isn't asked for", () => {
    assert.strictEqual(searchAddress(read("hello "), 30), "/api/search?q=hello&limit=30")
    const params = new URL(
      searchAddress(
        read("a&b kind:task kind:log from:me agent:main session:Main after:2026-11-01 before:today sort:relevance "),
        5
      ),
      "http://x"
    ).searchParams
    assert.deepStrictEqual(Object.fromEntries(params), {
      q: "a&b",
      kind: "task,log",
      role: "user",
      agent: "main",
      session: "agent:main:main",
      after: String(day(2026, 11, 1)),
      before: String(day(2026, 11, 20)),
      sort: "relevance",
      limit: "5"
    })
  })
})
