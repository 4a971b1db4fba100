import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { otherLayout, pdfPartNames, withoutOtherFormats } from "../../build/libraryParts.ts"

describe("what is left out of libraries", () => {
  it("older formats of the formulas' fonts", () => {
    const css = readFileSync(new URL("../../../node_modules/katex/dist/katex.min.css", import.meta.url), "utf8")
    const lean = withoutOtherFormats(css)
    assert.notMatch(lean, /\.(?:woff|ttf)\)/)
    assert.strictEqual(lean.match(/\.woff2\)/g)?.length, css.match(/\.woff2\)/g)?.length)
    assert.strictEqual(lean.match(/@font-face/g)?.length, css.match(/@font-face/g)?.length)
  })

  it("a layout of diagrams, which another one replaces", () => {
    assert.strictEqual(otherLayout(["elk-AB.mjs", "dagre-CD.mjs", "dagre-CD.mjs.map"]), "dagre-CD.mjs")
    assert.throws(() => otherLayout(["elk-AB.mjs"]))
  })
})

describe("the parts of the PDF viewer", () => {
  it("are its character maps, fonts, decoders without WebAssembly, and their licences", () => {
    const names = pdfPartNames()
    for (const name of [
      "cmaps/UniGB-UCS2-H.bcmap",
      "cmaps/LICENSE",
      "standard_fonts/LiberationSans-Regular.ttf",
      "standard_fonts/FoxitSymbol.pfb",
      "standard_fonts/LICENSE_FOXIT",
      "wasm/openjpeg_nowasm_fallback.js",
      "wasm/jbig2_nowasm_fallback.js"
    ]) {
      assert.include(names, name)
    }
    assert.deepStrictEqual(
      names.filter((name) => /\.wasm$|quickjs-eval/.test(name)),
      []
    )
  })
})
