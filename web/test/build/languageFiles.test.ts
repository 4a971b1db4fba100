import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { type Catalogue, filesOfCatalogue } from "../../build/languageFiles.ts"

const CATALOGUE: Catalogue = {
  Cards: "Karten",
  "{count} card|{count} cards": { one: "{count} Karte", other: "{count} Karten" },
  "why:NODE_TOO_OLD": "Version {version} ist zu alt.",
  "why:BUDGET_NOT_FOUND": "Dieses Budget gibt es nicht"
}

const run = async (source: string): Promise<unknown> => {
  const folder = mkdtempSync(join(tmpdir(), "language-files-"))
  const file = join(folder, "texts.mjs")
  writeFileSync(file, source)
  const { default: texts } = await import(file).finally(() => rmSync(folder, { recursive: true }))
  return texts
}

describe("filesOfCatalogue", () => {
  it("puts every text in one of two files, those of the machine's checks in their own", async () => {
    const files = filesOfCatalogue("de", CATALOGUE)
    assert.deepStrictEqual(Object.keys(files), ["languages/de.js", "languages/machine/de.js"])
    const [page = "", machine = ""] = Object.values(files)
    const { "why:NODE_TOO_OLD": check, ...others } = CATALOGUE
    const setting = "globalThis.pageTexts="
    assert.include(page, setting)
    assert.deepStrictEqual(
      await run(`let pageTexts;${page.replace(setting, "pageTexts=")}export default pageTexts`),
      others
    )
    assert.deepStrictEqual(await run(machine), { "why:NODE_TOO_OLD": check })
  })
})
