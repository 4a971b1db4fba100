import { assert, describe, it } from "@effect/vitest"
import { parseAst } from "vite"
import { splitCatalogue, stringsIn, stringsOnlyIn, withoutRepeats } from "../../build/languageFiles.ts"

describe("the catalogues of a build", () => {
  it("are split into the texts that the first screen's code holds, and the others", () => {
    const strings = stringsIn(parseAst(`a("Send \\"back\\"");b(2,"{count} card",'{count} cards');const c={d:"New"}`))
    const catalogue = {
      'Send "back"': "Zurück",
      "{count} card|{count} cards": { one: "{count} Karte", other: "{count} Karten" },
      "{count} card|{count} of them": { one: "", other: "" },
      New: "Neu",
      Old: "Alt"
    }
    const { first, more } = splitCatalogue(catalogue, strings)
    assert.deepStrictEqual(Object.keys(first), ['Send "back"', "{count} card|{count} cards", "New"])
    assert.deepStrictEqual(Object.keys(more), ["{count} card|{count} of them", "Old"])
  })

  it("leave a text that is translated later out of the first screen's, unless the page says it there as well", () => {
    const modules = [
      ["/app/src/later.ts", 'export const a = "Set the address"; export const b = "Main gateway"'],
      ["/app/web/src/shown.ts", 'say("Main gateway"); say("Send")']
    ] as const
    assert.deepStrictEqual([...stringsOnlyIn(["/src/later.ts"], modules, parseAst)], ["Set the address"])
  })

  it("leave out the plural forms that another one stands in for", () => {
    const forms = { one: "a card", few: "{count} cards", other: "{count} cards" }
    assert.deepStrictEqual(withoutRepeats(forms), { one: "a card", other: "{count} cards" })
    assert.strictEqual(withoutRepeats("Done"), "Done")
  })
})
