import { assert, describe, it } from "@effect/vitest"
import { isLongText } from "../../../src/core/text/longText.ts"

describe("a long text", () => {
  it.each([
    ["nothing", "", false],
    ["a sentence", "Look at the harbour.", false],
    ["twelve lines", Array(12).fill("line").join("\n"), false],
    ["sixteen lines", Array(16).fill("line").join("\n"), true],
    ["sixteen empty lines", "\n".repeat(15), true],
    ["a paragraph of eleven lines", "word ".repeat(160), false],
    ["a paragraph of sixteen lines", "word ".repeat(230), true],
    ["ten lines of Chinese", "字".repeat(370), false],
    ["sixteen lines of Chinese", "字".repeat(600), true],
    ["five lines that are three each", Array(5).fill("a".repeat(200)).join("\n"), false],
    ["six lines that are three each", Array(6).fill("a".repeat(200)).join("\n"), true]
  ])("%s", (_, text, isLong) => assert.strictEqual(isLongText(text), isLong))
})
