import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Plugin } from "vite"

const SHAPES = ".svg?shapes"
const OTHER_FORMATS = /,\s*url\([^)]*\.(?:woff|ttf)\)\s*format\(["'](?:woff|truetype)["']\)/g
const ELK = /^\.\/elk-\w+\.mjs$/
const DAGRE = /^dagre-\w+\.mjs$/
const PDF = new URL("../../node_modules/pdfjs-dist/", import.meta.url)

/** Files a PDF may need besides the library, each fetched by its worker when a document asks for it. */
const PDF_PARTS: ReadonlyArray<{ readonly folder: string; readonly wanted: RegExp }> = [
  { folder: "cmaps", wanted: /\.bcmap$/ },
  { folder: "standard_fonts", wanted: /\.(pfb|ttf)$/ },
  // The decoders the page's policy allows: WebAssembly is none of them.
  { folder: "wasm", wanted: /_nowasm_fallback\.js$/ }
]

/** What an icon draws: its shapes, without the licence, the frame and the line breaks around them. */
export const shapesOf = (svg: string): string =>
  svg
    .slice(svg.indexOf(">", svg.indexOf("<svg")) + 1, svg.lastIndexOf("</svg>"))
    .replaceAll(/\s*\n\s*/g, "")
    .replaceAll(" />", "/>")

/** A stylesheet whose fonts have one format, which every browser of today reads. */
export const withoutOtherFormats = (css: string): string => css.replaceAll(OTHER_FORMATS, "")

/** The other layout of the diagram library beside the module that asks for the left-out one. */
export const otherLayout = (names: ReadonlyArray<string>): string => {
  const name = names.find((candidate) => DAGRE.test(candidate))
  if (name === undefined) throw new Error("The diagram library has no layout to use instead of ELK")
  return name
}

/** What belongs into the build: names within `/assets/pdf-<version>/`, which are new with every version of the library. */
export const pdfPartNames = (): ReadonlyArray<string> =>
  PDF_PARTS.flatMap(({ folder, wanted }) =>
    readdirSync(new URL(`${folder}/`, PDF))
      .filter((name) => wanted.test(name) || name.startsWith("LICENSE"))
      .map((name) => `${folder}/${name}`)
  )

/**
 * Takes from libraries what the page needs of them.
 *
 * - `icon.svg?shapes` is the text of an icon's shapes: the component draws what all icons have in common, and the licence is
 *   in `LICENSES.txt`, which saves 0.5 KB (compressed) of the first screen.
 * - Formulas have their fonts in one format: the older ones are forty files that nobody would load.
 * - Diagrams are laid out with Dagre instead of ELK, whose licence isn't compatible and which weighs 400 KB compressed. The
 *   library asks both the same way.
 * - The character maps, fonts and decoders of the PDF viewer are put beside the other assets.
 */
export const libraryParts = (): Plugin => ({
  name: "library-parts",
  enforce: "pre",
  resolveId: (id, importer) => {
    if (importer === undefined || !importer.includes("/mermaid/") || !ELK.test(id)) return null
    const folder = dirname(importer)
    return join(folder, otherLayout(readdirSync(folder)))
  },
  load: (id) =>
    id.endsWith(SHAPES)
      ? `export default ${JSON.stringify(shapesOf(readFileSync(id.slice(0, -"?shapes".length), "utf8")))}`
      : null,
  transform: (code, id) => (/\/katex\/dist\/katex(?:\.min)?\.css/.test(id) ? withoutOtherFormats(code) : null),
  generateBundle() {
    const { version }: { readonly version: string } = JSON.parse(readFileSync(new URL("package.json", PDF), "utf8"))
    for (const name of pdfPartNames()) {
      const source = readFileSync(new URL(name, PDF))
      this.emitFile({ type: "asset", fileName: `assets/pdf-${version}/${name}`, source })
    }
  }
})
