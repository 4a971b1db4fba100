import { assert, describe, it } from "@effect/vitest"
import { indexedPath, rankPaths } from "../../../../src/services/knowledge/files/rankPaths.ts"

const PATHS = [
  "README.md",
  "books",
  "books/plan.md",
  "books/plans/2026.md",
  "src/planner.ts",
  "src/deep/explain.ts",
  "src/person/lane.ts",
  "src/app/index.ts",
  "notes/München.txt"
].map((path) => indexedPath({ path, type: path.includes(".") ? "file" : "directory" }))

const find = (query: string, limit = 20) => rankPaths(PATHS, query, limit).entries.map(({ path }) => path)

describe("paths for some letters", () => {
  it("are first those whose name begins with them, then those that have them, then those with their letters", () => {
    assert.deepStrictEqual(find("plan"), [
      "books/plan.md",
      "src/planner.ts",
      "books/plans/2026.md",
      "src/deep/explain.ts",
      "src/person/lane.ts"
    ])
    assert.deepStrictEqual(find("lane"), ["src/person/lane.ts", "src/planner.ts"])
    assert.deepStrictEqual(find("rdm"), ["README.md"])
  })

  it("are looked for in the whole path once a slash is typed", () => {
    assert.deepStrictEqual(find("books/"), ["books/plan.md", "books/plans/2026.md"])
    assert.deepStrictEqual(find("./src/app"), ["src/app/index.ts"])
    assert.deepStrictEqual(find("s/dee/ex"), ["src/deep/explain.ts"])
  })

  it("are the nearest where nothing is sought, and no more than wanted", () => {
    assert.deepStrictEqual(find("", 2), ["books", "README.md"])
    assert.isTrue(rankPaths(PATHS, "", 2).isCut)
    assert.isFalse(rankPaths(PATHS, "README", 2).isCut)
  })

  it("don't depend on how letters are put together", () => {
    assert.deepStrictEqual(find("mu\u0308nchen"), ["notes/München.txt"])
    assert.deepStrictEqual(find("MÜN"), ["notes/München.txt"])
  })

  it("take any letters", () => {
    for (const query of ["__proto__", "constructor", "\0", "(", "[", "\\", "%", "🦀", "x".repeat(500)])
      assert.deepStrictEqual(find(query), [])
  })

  it("are found among 20,000 while somebody types", () => {
    const many = Array.from({ length: 20_000 }, (_, index) =>
      indexedPath({ path: `src/module${index % 200}/part${index}/component-${index}.tsx`, type: "file" })
    )
    const before = performance.now()
    const found = ["c", "co", "component-199", "modpart", "zzz"].map(
      (query) => rankPaths(many, query, 50).entries.length
    )
    console.info(`letters among 20,000 paths: ${((performance.now() - before) / 5).toFixed(1)} ms each`)
    assert.deepStrictEqual(found, [50, 50, 50, 50, 0])
  })
})
