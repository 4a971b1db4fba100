import { globSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { COMMAND_ICONS } from "../../src/shell/palette/commandIcons.ts"

describe("the icons of commands", () => {
  it("belong to commands that there are", () => {
    const source = globSync("web/src/**/*.{ts,tsx}")
      .map((file) => readFileSync(file, "utf8"))
      .join("\n")
    const unknown = Object.keys(COMMAND_ICONS).filter(
      (id) => !source.includes(`id: "${id}"`) && !source.includes(`id: \`${id} $`)
    )
    assert.deepStrictEqual(unknown, [])
  })
})
