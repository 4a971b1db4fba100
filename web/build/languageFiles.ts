import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import type { Plugin, Rollup } from "vite"
import { textKey } from "../src/core/language/textKey.ts"
import { chunksOf, firstScreenFiles } from "./firstScreenBudget.ts"

type Catalogue = Readonly<Record<string, unknown>>

/** Every string in some parsed code. */
export const stringsIn = (tree: unknown, found = new Set<string>()): ReadonlySet<string> => {
  if (typeof tree !== "object" || tree === null) return found
  if ("type" in tree && tree.type === "Literal" && "value" in tree && typeof tree.value === "string")
    found.add(tree.value)
  for (const part of Object.values(tree)) stringsIn(part, found)
  return found
}

/** A catalogue's texts that are among some strings, and the others. A text with a count has two strings in its key. */
export const splitCatalogue = (
  catalogue: Catalogue,
  strings: ReadonlySet<string>
): { readonly first: Catalogue; readonly more: Catalogue } => {
  const isFirst = (key: string) => key.split("|").every((text) => strings.has(text))
  const entries = Object.entries(catalogue)
  return {
    first: Object.fromEntries(entries.filter(([key]) => isFirst(key))),
    more: Object.fromEntries(entries.filter(([key]) => !isFirst(key)))
  }
}

/** A module of a build: its path, and what is left of its code. */
type Module = readonly [path: string, code: string]

const modulesOf = (output: Rollup.OutputBundle[string] | undefined): ReadonlyArray<Module> =>
  output?.type === "chunk" ? Object.entries(output.modules).map(([path, { code }]) => [path, code ?? ""] as const) : []

/** Strings that only modules whose paths end in one of `ends` hold, and no other of the `modules`. */
export const stringsOnlyIn = (
  ends: ReadonlyArray<string>,
  modules: ReadonlyArray<Module>,
  parse: (code: string) => unknown
): ReadonlySet<string> => {
  const inside = new Set<string>()
  const outside = new Set<string>()
  for (const [path, code] of modules) stringsIn(parse(code), ends.some((end) => path.endsWith(end)) ? inside : outside)
  return new Set([...inside].filter((text) => !outside.has(text)))
}

/** A translation without the forms that are as its `other` one, which stands in for them. */
export const withoutRepeats = (translation: unknown): unknown =>
  typeof translation === "object" && translation !== null && "other" in translation
    ? Object.fromEntries(
        Object.entries(translation).filter(([form, text]) => form === "other" || text !== translation.other)
      )
    : translation

/** Some texts under their names, as the page looks them up. */
const named = (catalogue: Catalogue): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(catalogue).map(([text, translation]) => [textKey(text), withoutRepeats(translation)])
    )
  )

const firstScript = (catalogue: Catalogue) =>
  `globalThis.pageTexts=Object.assign(globalThis.otherTexts??{},${named(catalogue)})\n`

/** Whichever script comes first; without the other one, its texts stay unused: a page is in one language. */
const moreScript = (catalogue: Catalogue) =>
  `Object.assign(globalThis.pageTexts??(globalThis.otherTexts={}),${named(catalogue)})\n`

interface LanguageOptions {
  readonly lazyNames: ReadonlyArray<string>
  /** Ends of the paths of modules whose texts are put into the page's language by a part that comes later. */
  readonly translatedLater: ReadonlyArray<string>
}

/**
 * Writes each catalogue in a folder, such as `de.json`, as two scripts that put it where the page's modules find it:
 * `/languages/de.js` with the texts of the first screen, which waits for it, and `/languages/de.more.js`.
 */
export const languageFiles = (folder: string, options: LanguageOptions): Plugin => {
  const files = readdirSync(folder).map((file) => join(folder, file))
  return {
    name: "language-files",
    apply: "build",
    enforce: "post",
    buildStart() {
      for (const file of files) this.addWatchFile(file)
    },
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const chunks = chunksOf(bundle)
        const firstFiles = [...firstScreenFiles(chunks, options.lazyNames)]
        const parse = (code: string) => this.parse(code)
        const modules = firstFiles.flatMap((file) => modulesOf(bundle[file]))
        const strings = new Set<string>()
        for (const file of firstFiles) stringsIn(parse(chunks[file]?.code ?? ""), strings)
        for (const text of stringsOnlyIn(options.translatedLater, modules, parse)) strings.delete(text)
        for (const file of files) {
          const code = basename(file, ".json")
          const { first, more } = splitCatalogue(JSON.parse(readFileSync(file, "utf8")), strings)
          this.emitFile({ type: "asset", fileName: `languages/${code}.js`, source: firstScript(first) })
          this.emitFile({ type: "asset", fileName: `languages/${code}.more.js`, source: moreScript(more) })
        }
      }
    }
  }
}
