import { readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import { exitCodes } from "../../../../src/cli/exitCodes.ts"
import { EnvironmentSchema } from "../../../../src/services/platform/settings/settingsSchema.ts"

const read = (name: string) => readFileSync(new URL(`../../../../${name}`, import.meta.url), "utf8")

const matches = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), (match) => match[1] ?? "").sort()

const known = Object.keys(EnvironmentSchema.fields).sort()

it(".env.example has every variable once, each below a line of meaning", () => {
  const example = read(".env.example")
  assert.deepStrictEqual(matches(example, /^#([A-Z_]+)=/gm), known)
  assert.deepStrictEqual(matches(example, /^# .+\n#([A-Z_]+)=/gm), known)
})

it("the manual's configuration table has every variable once", () => {
  assert.deepStrictEqual(matches(read("docs/configuration.md"), /^\| `([A-Z_]+)` +\|/gm), known)
})

it("the manual's exit codes are the program's", () => {
  const table =
    read("docs/command-line.md")
      .split(/\| Exit code +\|/)[1]
      ?.split("\n\n")[0] ?? ""
  const told = matches(table, /^\| (\d[\d, ]*?) +\|/gm).flatMap((cell) => cell.split(",").map(Number))
  // One code may have two meanings, in different commands.
  assert.sameMembers(told, [...new Set<number>(Object.values(exitCodes))])
})
