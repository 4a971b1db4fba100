import { readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Plugin } from "vite"

const LAYOUT = /^\.\/elk-\w+\.mjs$/
const INSTEAD = /^dagre-\w+\.mjs$/

/** The other layout of the diagram library beside the module that asks for the left-out one. */
export const otherLayout = (names: ReadonlyArray<string>): string => {
  const name = names.find((candidate) => INSTEAD.test(candidate))
  if (name === undefined) throw new Error("The diagram library has no layout to use instead of ELK")
  return name
}

/**
 * Lays diagrams out with Dagre instead of ELK, whose licence isn't compatible and which weighs 400 KB compressed. The
 * library asks both the same way.
 */
export const withoutElk = (): Plugin => ({
  name: "without-elk",
  enforce: "pre",
  resolveId: (id, importer) => {
    if (importer === undefined || !importer.includes("/mermaid/") || !LAYOUT.test(id)) return null
    const folder = dirname(importer)
    return join(folder, otherLayout(readdirSync(folder)))
  }
})
