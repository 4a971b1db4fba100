import { assert, describe, it } from "@effect/vitest"
import { searchCommands } from "../../../src/core/commands/searchCommands.ts"

const entry = (label: string, group: string, keywords?: string) => ({
  label,
  group,
  ...(keywords === undefined ? {} : { keywords })
})

const ENTRIES = [
  entry("Language: Deutsch", "Settings"),
  entry("Chat settings", "Go to"),
  entry("Reset the layout", "Board"),
  entry("Settings", "Go to"),
  entry("Open the help", "General", "keys set")
]

const labels = (words: string) => searchCommands(ENTRIES, words).map(({ label }) => label)

describe("searchCommands", () => {
  it("puts what begins as typed before what has it within, and both before what is only related", () => {
    assert.deepStrictEqual(labels("set").slice(0, 2), ["Settings", "Chat settings"])
    assert.sameMembers(labels("set").slice(-2), ["Language: Deutsch", "Open the help"])
    assert.deepStrictEqual(labels("settings chat"), ["Chat settings"])
    assert.strictEqual(labels("Go to settings")[0], "Settings")
  })

  it("gives everything in its order without words, and nothing for words that nothing has", () => {
    assert.deepStrictEqual(
      labels(" "),
      ENTRIES.map(({ label }) => label)
    )
    assert.deepStrictEqual(labels("zzzzqq"), [])
  })
})
