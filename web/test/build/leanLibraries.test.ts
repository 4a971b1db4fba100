import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { otherLayout } from "../../build/withoutElk.ts"
import { withoutOtherFormats } from "../../build/woff2Only.ts"

describe("what is left out of libraries", () => {
  it("older formats of the formulas' fonts", () => {
    const css = readFileSync(new URL("../../../node_modules/katex/dist/katex.min.css", import.meta.url), "utf8")
    const lean = withoutOtherFormats(css)
    assert.notMatch(lean, /\.(?:woff|ttf)\)/)
    assert.strictEqual(lean.match(/\.woff2\)/g)?.length, css.match(/\.woff2\)/g)?.length)
    assert.strictEqual(lean.match(/@font-face/g)?.length, css.match(/@font-face/g)?.length)
  })

  it("a layout of diagrams, for which another one stands in", () => {
    assert.strictEqual(otherLayout(["elk-AB.mjs", "dagre-CD.mjs", "dagre-CD.mjs.map"]), "dagre-CD.mjs")
    assert.throws(() => otherLayout(["elk-AB.mjs"]))
  })
})
