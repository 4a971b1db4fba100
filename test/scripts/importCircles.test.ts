import { assert, describe, it } from "@effect/vitest"
import { importCircles, importsOfGroups } from "../../scripts/importCircles.ts"

const imports = (...arrows: ReadonlyArray<string>) => {
  const map = new Map<string, Set<string>>()
  for (const arrow of arrows) {
    const [from = "", to = ""] = arrow.split(" ")
    map.set(from, (map.get(from) ?? new Set()).add(to))
  }
  return map
}

describe("circles of imports", () => {
  it.each([
    ["a line has none", ["a b", "b c", "a c"], []],
    ["two that need each other", ["a b", "b a", "b c"], [["a", "b"]]],
    ["a longer way round", ["a b", "b c", "c a", "d a"], [["a", "b", "c"]]],
    [
      "two apart",
      ["a b", "b a", "b c", "c d", "d c"],
      [
        ["c", "d"],
        ["a", "b"]
      ]
    ],
    ["two that share a name are one", ["a b", "b a", "b c", "c b"], [["a", "b", "c"]]]
  ])("%s", (_name, arrows, circles) => {
    assert.deepStrictEqual(importCircles(imports(...arrows)), circles)
  })

  it("between groups where no file is in one", () => {
    const groups = importsOfGroups(
      imports("a/x b/y", "b/z a/w", "a/x a/w", "c a/x"),
      (file) => /^(.*)\//.exec(file)?.[1]
    )
    assert.deepStrictEqual(importCircles(groups), [["a", "b"]])
  })
})
