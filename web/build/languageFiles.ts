import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import type { Plugin } from "vite"

/**
 * Writes each catalogue in a folder, such as `de.json`, as a script, `/languages/de.js`, that puts it where the page's
 * modules find it. A script, since it has to be there before the first of them runs.
 */
export const languageFiles = (folder: string): Plugin => ({
  name: "language-files",
  apply: "build",
  buildStart() {
    for (const file of readdirSync(folder)) {
      const path = join(folder, file)
      this.addWatchFile(path)
      const catalogue: unknown = JSON.parse(readFileSync(path, "utf8"))
      this.emitFile({
        type: "asset",
        fileName: `languages/${basename(file, ".json")}.js`,
        source: `globalThis.pageTexts=${JSON.stringify(catalogue)}\n`
      })
    }
  }
})
