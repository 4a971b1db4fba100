import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import type { Plugin } from "vite"
import { MACHINE_FAILURES } from "../../src/contract/failures/machine.ts"

export type Catalogue = Readonly<Record<string, unknown>>

const ofMachine: ReadonlySet<string> = new Set(Object.keys(MACHINE_FAILURES).map((code) => `why:${code}`))

const onlyThose = (catalogue: Catalogue, isWanted: (key: string) => boolean): Catalogue =>
  Object.fromEntries(Object.entries(catalogue).filter(([key]) => isWanted(key)))

/** A script that sets the page's texts; all English ones first, because two languages in turns compress worse. */
const scriptOf = (catalogue: Catalogue): string => {
  const [keys, texts] = [Object.keys(catalogue), Object.values(catalogue)].map((list) => JSON.stringify(list))
  return `{const keys=${keys},texts=${texts};globalThis.pageTexts=Object.fromEntries(keys.map((key,at)=>[key,texts[at]]))}\n`
}

/**
 * The files of a language, such as `de`, by their names: `languages/de.js`, which runs before the page's modules, and
 * `languages/machine/de.js`, a module that `core/link/machineTexts.ts` loads.
 */
export const filesOfCatalogue = (code: string, catalogue: Catalogue): Readonly<Record<string, string>> => ({
  [`languages/${code}.js`]: scriptOf(onlyThose(catalogue, (key) => !ofMachine.has(key))),
  [`languages/machine/${code}.js`]: `export default ${JSON.stringify(onlyThose(catalogue, (key) => ofMachine.has(key)))}\n`
})

/** Writes the files of each catalogue in a folder, such as `de.json`. */
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
        const catalogue: Catalogue = JSON.parse(readFileSync(file, "utf8"))
        for (const [fileName, source] of Object.entries(filesOfCatalogue(basename(file, ".json"), catalogue))) {
          this.emitFile({ type: "asset", fileName, source })
        }
      }
    }
  }
}
