import { assert, describe, it } from "@effect/vitest"
import { pdfPartNames } from "../../build/pdfParts.ts"

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
