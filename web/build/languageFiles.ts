import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import type { Plugin } from "vite"

/** A script that sets the page's texts; all English ones first, because two languages in turns compress worse. */
const scriptOf = (catalogue: Readonly<Record<string, unknown>>): string => {
  const [keys, texts] = [Object.keys(catalogue), Object.values(catalogue)].map((list) => JSON.stringify(list))
  return `{const keys=${keys},texts=${texts};globalThis.pageTexts=Object.fromEntries(keys.map((key,at)=>[key,texts[at]]))}\n`
}

/** Writes each catalogue in a folder, such as `de.json`, as `/languages/de.js`, which runs before the page's modules. */
export const languageFiles = (folder: string): Plugin => {
  const files = readdirSync(folder).map((file) => join(folder, file))
  return {
    name: "language-files",
    apply: "build",
    buildStart() {
      for (const file of files) this.addWatchFile(file)
    },
    generateBundle() {
      for (const file of files) {
        const fileName = `languages/${basename(file, ".json")}.js`
        this.emitFile({ type: "asset", fileName, source: scriptOf(JSON.parse(readFileSync(file, "utf8"))) })
      }
    }
  }
}
