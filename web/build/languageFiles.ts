import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import type { Plugin } from "vite"

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
        const texts = JSON.stringify(JSON.parse(readFileSync(file, "utf8")))
        const fileName = `languages/${basename(file, ".json")}.js`
        this.emitFile({ type: "asset", fileName, source: `globalThis.pageTexts=${texts}\n` })
      }
    }
  }
}
