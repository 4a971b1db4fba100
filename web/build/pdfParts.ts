import { readdirSync, readFileSync } from "node:fs"
import type { Plugin } from "vite"

const PACKAGE = new URL("../../node_modules/pdfjs-dist/", import.meta.url)

/** Files a PDF may need besides the library, each fetched by its worker when a document asks for it. */
const PARTS: ReadonlyArray<{ readonly folder: string; readonly wanted: RegExp }> = [
  { folder: "cmaps", wanted: /\.bcmap$/ },
  { folder: "standard_fonts", wanted: /\.(pfb|ttf)$/ },
  // The decoders the page's policy allows: WebAssembly is none of them.
  { folder: "wasm", wanted: /_nowasm_fallback\.js$/ }
]

/** What belongs into the build: names within `/assets/pdf-<version>/`, which are new with every version of the library. */
export const pdfPartNames = (): ReadonlyArray<string> =>
  PARTS.flatMap(({ folder, wanted }) =>
    readdirSync(new URL(`${folder}/`, PACKAGE))
      .filter((name) => wanted.test(name) || name.startsWith("LICENSE"))
      .map((name) => `${folder}/${name}`)
  )

/** Puts the character maps, fonts and decoders of the PDF viewer beside the other assets. */
export const pdfParts = (): Plugin => ({
  name: "pdf-parts",
  apply: "build",
  generateBundle() {
    const { version }: { readonly version: string } = JSON.parse(readFileSync(new URL("package.json", PACKAGE), "utf8"))
    for (const name of pdfPartNames()) {
      this.emitFile({
        type: "asset",
        fileName: `assets/pdf-${version}/${name}`,
        source: readFileSync(new URL(name, PACKAGE))
      })
    }
  }
})
