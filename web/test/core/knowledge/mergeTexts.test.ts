import { assert, describe, it } from "@effect/vitest"
import { mergedText, mergeTexts, type TextMerge } from "../../../src/core/knowledge/mergeTexts.ts"

/** The pieces in short: what is the same, whose change was merged, and what is to be decided. */
const shape = ({ pieces }: TextMerge) =>
  pieces.map((piece) => {
    if (piece.kind === "same") return `same ${piece.lines.join("|")}`
    if (piece.kind === "merged") return `${piece.by} ${piece.before.join("|")} → ${piece.lines.join("|")}`
    return `conflict ${piece.mine.join("|")} / ${piece.theirs.join("|")}`
  })
const decided = (merge: TextMerge, decision: "mine" | "theirs" | "both"): string | null =>
  mergedText(merge, Object.fromEntries(merge.conflicts.map(({ key }) => [key, decision])))

describe("two texts made from the same one", () => {
  it("keep the changes of both sides where they don't meet", () => {
    const merge = mergeTexts(
      "# Soul\n\nBe kind.\n\nBe brief.\n",
      "# Soul\n\nBe very kind.\n\nBe brief.\n",
      "# Soul\n\nBe kind.\n\nBe brief.\n- added\n"
    )
    assert.deepStrictEqual(merge.conflicts, [])
    assert.strictEqual(mergedText(merge, {}), "# Soul\n\nBe very kind.\n\nBe brief.\n- added\n")
    assert.deepStrictEqual(merge.changes, { mine: 1, theirs: 1 })
  })

  it("are no text before every piece that both changed is decided", () => {
    const merge = mergeTexts("a\nb\nc\nd\ne", "a\nB\nc\nD\ne", "a\nbb\nc\ndd\ne")
    assert.deepStrictEqual(shape(merge), ["same a", "conflict B / bb", "same c", "conflict D / dd", "same e"])
    const [first, second] = merge.conflicts
    assert.isNull(mergedText(merge, {}))
    assert.isNull(mergedText(merge, { [first?.key ?? ""]: "mine" }))
    const decisions = { [first?.key ?? ""]: "mine", [second?.key ?? ""]: "both" } as const
    assert.strictEqual(mergedText(merge, decisions), "a\nB\nc\ndd\nD\ne")
    assert.strictEqual(
      mergedText(merge, { ...decisions, [second?.key ?? ""]: { written: "x\r\ny" } }),
      "a\nB\nc\nx\ny\ne"
    )
    assert.strictEqual(mergedText(merge, { ...decisions, [second?.key ?? ""]: { written: "" } }), "a\nB\nc\ne")
  })

  it.each([
    [
      "both put a line at the same place",
      "a\nb",
      "a\nmine\nb",
      "a\ntheirs\nb",
      ["same a", "conflict mine / theirs", "same b"]
    ],
    ["both put lines at the end", "a\n", "a\nmine\n", "a\ntheirs\n", ["same a", "conflict mine / theirs", "same "]],
    ["one removes what the other changes", "a\nb\nc", "a\nc", "a\nB\nc", ["same a", "conflict  / B", "same c"]],
    ["they change lines beside each other", "a\nb\nc", "A\nb\nc", "a\nB\nc", ["conflict A|b / a|B", "same c"]],
    ["both wrote the same", "a\nb\nc", "a\nB\nc", "a\nB\nc", ["same a", "both b → B", "same c"]],
    [
      "they agree on a part of it",
      "a\nb\nc",
      "a\nx\ny\nc",
      "a\nx\nz\nc",
      ["same a", "same x", "conflict y / z", "same c"]
    ],
    ["one emptied it", "a", "", "A", ["conflict  / A"]],
    ["a new text met another", "", "mine", "theirs", ["conflict mine / theirs"]]
  ])("when %s", (_, base, mine, theirs, pieces) => {
    assert.deepStrictEqual(shape(mergeTexts(base, mine, theirs)), pieces)
  })

  it.each([
    ["a line changed, and one put below it", "a\nb", "a\nB", "a\nb\nmore", "a\nB\nmore"],
    ["a line changed, and one put above it", "a\nb", "a\nB", "a\nmore\nb", "a\nmore\nB"],
    ["lines beside each other changed", "a\nb\nc", "A\nb\nc", "a\nB\nc", "A\nB\nc"],
    ["a line removed, and one put in its place", "a\nb\nc", "a\nc", "a\nb\nmore\nc", "a\nmore\nc"],
    ["two lines put at one place", "a\nb", "a\nmine\nb", "a\ntheirs\nb", "a\ntheirs\nmine\nb"],
    ["one line changed twice", "a\nb", "a\nmine", "a\ntheirs", "a\ntheirs\nmine"],
    ["one put into a piece that was changed", "a\nb\nc", "x", "a\nb\nmore\nc", "a\nb\nmore\nc\nx"]
  ])("can both be kept: %s", (_, base, mine, theirs, both) => {
    const merge = mergeTexts(base, mine, theirs)
    assert.lengthOf(merge.conflicts, 1)
    assert.strictEqual(decided(merge, "both"), both)
  })

  it("leave every difference to a person when nobody knows what they began as", () => {
    const merge = mergeTexts(null, "a\nmine\nb", "a\nb\ntheirs")
    assert.deepStrictEqual(shape(merge), ["same a", "conflict mine / ", "same b", "conflict  / theirs"])
    assert.strictEqual(decided(merge, "both"), "a\nmine\nb\ntheirs")
    assert.strictEqual(mergedText(mergeTexts(null, "same", "same"), {}), "same")
  })

  it("keep the decisions on pieces that a later change leaves alone, and distinguish equal ones", () => {
    const keys = (theirs: string) =>
      mergeTexts("a\nb\nc\nb\nd", "a\nm\nc\nm\nd", theirs).conflicts.map(({ key }) => key)
    const before = keys("a\nt\nc\nt\nd")
    assert.lengthOf(new Set(before), 2)
    assert.deepStrictEqual(keys("a\nt\nc\nt\nd\nmore"), before)
  })

  it.each([
    ["a\r\nb\r\nc", "a\r\nB\r\nc", "a\r\nb\r\nc\r\nd", "a\r\nB\r\nc\r\nd"],
    ["a\r\nb\r\nc", "a\r\nB\r\nc", "a\nb\nc\nd", "a\nB\nc\nd"],
    ["a\nb\nc", "a\r\nb\r\nc", "a\nb\nC", "a\r\nb\r\nC"],
    ["a\r\nb\nc\nd", "a\r\nb\nC\nd", "A\r\nb\nc\nd", "A\r\nb\nC\nd"]
  ])("end their lines as they did, or as the side that changed it", (base, mine, theirs, merged) => {
    assert.strictEqual(mergedText(mergeTexts(base, mine, theirs), {}), merged)
  })

  it("lose nothing of generated texts", () => {
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    const changed = (lines: ReadonlyArray<string>, name: string) =>
      lines.flatMap((line, at) => {
        const dice = random(12)
        if (dice === 0) return []
        if (dice === 1) return [`${name}${at}`]
        return dice === 2 ? [line, `${name}+${at}`] : [line]
      })
    for (let round = 0; round < 400; round++) {
      const base = Array.from({ length: random(14) }, () => ["", "a", "b", "c"][random(4)] ?? "")
      const [mine, theirs] = [changed(base, "m"), changed(base, "t")]
      const texts = [base, mine, theirs].map((lines) => lines.join("\n"))
      const [was = "", own = "", others = ""] = texts
      const merge = mergeTexts(was, own, others)
      for (const [decision, words] of [
        ["mine", mine],
        ["theirs", theirs],
        ["both", [...mine, ...theirs]]
      ] as const) {
        const merged = decided(merge, decision)?.split("\n") ?? []
        for (const line of words) {
          if (/^[mt]/.test(line)) assert.include(merged, line, `${decision} of ${JSON.stringify(texts)}`)
        }
      }
      assert.strictEqual(mergedText(mergeTexts(was, own, was), {}), own)
      assert.strictEqual(mergedText(mergeTexts(was, was, others), {}), others)
      assert.strictEqual(mergedText(mergeTexts(was, own, own), {}), own)
    }
  })

  it("are put together in one piece where they have little in common", () => {
    const many = (name: string) => Array.from({ length: 40_000 }, (_, at) => `${name} ${at}`).join("\n")
    const merge = mergeTexts(many("a"), `${many("b")}\nend`, `${many("c")}\nend`)
    assert.deepStrictEqual([merge.conflicts.length, merge.changes], [1, { mine: 1, theirs: 1 }])
  })
})
