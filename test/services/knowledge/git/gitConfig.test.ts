import { assert, describe, it } from "@effect/vitest"
import { parseGitConfig } from "../../../../src/services/knowledge/git/gitConfig.ts"

const read = (text: string) => {
  const config = parseGitConfig(text)
  return config === undefined ? undefined : Object.fromEntries(config)
}

describe("gitConfig", () => {
  it("reads names in any case, the last value, and nothing of parts and other sections", () => {
    const text = [
      "\t[CORE] # comment",
      "FileMode=false;comment",
      '[core "part"]',
      "bare = true",
      '[filter "a\\"b]"]',
      "clean = /trap",
      "[remote.core]",
      "bare = true",
      "[core]",
      "fileMode = true",
      "[extensions] objectFormat = sha256"
    ].join("\n")
    assert.deepStrictEqual(read(text), { "core.filemode": "true", "extensions.objectformat": "sha256" })
  })

  it("reads values with quotes, escapes, comments and lines that go on", () => {
    const value = (text: string) => read(`[core]\n\ta = ${text}\n\tb = 1\n`)?.["core.a"]
    assert.strictEqual(value("x y  \t"), "x y")
    assert.strictEqual(value('" x " # no'), " x ")
    assert.strictEqual(value('x"#;"y;z'), "x#;y")
    assert.strictEqual(value('a\\tb\\n\\"\\\\'), 'a\tb\n"\\')
    assert.strictEqual(value("one \\\n\ttwo"), "one \ttwo")
    assert.strictEqual(value("x\r"), "x")
    assert.strictEqual(value(""), "")
    assert.deepStrictEqual(read("[core]\n\ta\n\tb # c\n"), { "core.a": "true", "core.b": "true" })
    assert.deepStrictEqual(read("[core]\na=1"), { "core.a": "1" })
  })

  it("refuses what git refuses", () => {
    for (const text of ["[core\n", "[co re]\n", '[core "x]\n', '[core "x" ]\n', "[core]\na b\n", "[core]\n=1\n"]) {
      assert.isUndefined(read(text), text)
    }
    for (const text of ['[core]\na = "x\n', "[core]\na = \\x\n", "[core]\na = \\", "[core]\n\0"]) {
      assert.isUndefined(read(text), text)
    }
    assert.deepStrictEqual(read(""), {})
  })
})
