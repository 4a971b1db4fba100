import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { setInEnvText } from "../../../../src/services/platform/settings/EnvFile.ts"
import { parseDotEnv } from "../../../../src/services/platform/settings/variables.ts"

describe("a variable is set and every other byte stays", () => {
  it.each([
    ["an empty file", "", "SVC_LANGUAGE=de\n"],
    ["no newline at the end", "PORT=1", "PORT=1\nSVC_LANGUAGE=de\n"],
    ["in its place", "A=1\nSVC_LANGUAGE=en\nB=2\n", "A=1\nSVC_LANGUAGE=de\nB=2\n"],
    ["its comment", "SVC_LANGUAGE=en # mine\n", "SVC_LANGUAGE=de # mine\n"],
    ["its quotes", "SVC_LANGUAGE='en' # mine", "SVC_LANGUAGE='de' # mine"],
    ["blanks and export", "  export SVC_LANGUAGE = en  \n", "  export SVC_LANGUAGE = de  \n"],
    ["Windows line ends", "A=1\r\nSVC_LANGUAGE=en\r\n", "A=1\r\nSVC_LANGUAGE=de\r\n"],
    ["Windows line ends for what is new", "A=1\r\n", "A=1\r\nSVC_LANGUAGE=de\r\n"],
    ["a byte order mark", "\uFEFFSVC_LANGUAGE=en\n", "\uFEFFSVC_LANGUAGE=de\n"],
    ["a line that is switched off", "#SVC_LANGUAGE=en\n", "#SVC_LANGUAGE=en\nSVC_LANGUAGE=de\n"],
    ["an empty value", "SVC_LANGUAGE=\nA=1\n", "SVC_LANGUAGE=de\nA=1\n"],
    ["a name that only ends the same", "OTHER_SVC_LANGUAGE=en\n", "OTHER_SVC_LANGUAGE=en\nSVC_LANGUAGE=de\n"],
    ["a value over several lines", 'KEY="a\nSVC_LANGUAGE=x\nb"\n', 'KEY="a\nSVC_LANGUAGE=x\nb"\nSVC_LANGUAGE=de\n'],
    ["a quote that never closes", 'KEY="a\nSVC_LANGUAGE=en\n', 'KEY="a\nSVC_LANGUAGE=de\n'],
    ["a value of blanks alone", "A= \n", "A= \n# Set by Agent Console\nSVC_LANGUAGE=de\n"],
    [
      "one before it",
      "A= \r\nSVC_LANGUAGE=en",
      "A= \r\nSVC_LANGUAGE=en\r\n# Set by Agent Console\r\nSVC_LANGUAGE=de\r\n"
    ],
    ["the last of two", "SVC_LANGUAGE=en\nSVC_LANGUAGE=fr\n", "SVC_LANGUAGE=en\nSVC_LANGUAGE=de\n"]
  ])("%s", (_, before, after) => {
    assert.strictEqual(setInEnvText(before, { SVC_LANGUAGE: "de" }), after)
  })

  it("two variables at once", () => {
    assert.strictEqual(setInEnvText("B=1\nA=2\n", { A: "x", B: "y", C: "z" }), "B=y\nA=x\nC=z\n")
  })
})

const Line = Schema.Struct({
  name: Schema.Literals(["A", "B_C", "SVC_LANGUAGE", "export D", "# E"]),
  quote: Schema.Literals(["", "'", '"', "`"]),
  value: Schema.String.check(Schema.isPattern(/^[a-z0-9 #=\n]{0,12}$/)),
  ending: Schema.Literals(["\n", "\r\n", "\n\n", " # note\n"])
})

it.prop("whatever the file, the variable reads as set and all others as before", [Schema.Array(Line)], ([lines]) => {
  const text = lines
    .map(({ name, quote, value, ending }) => {
      const plain = quote === "" ? value.replaceAll("\n", "") : value
      // Node takes the next line for the value of an exported variable that has none.
      const written = name === "export D" && plain.trim() === "" ? "d" : plain
      return `${name}=${quote}${written}${quote}${ending}`
    })
    .join("")
  const before = parseDotEnv(text)
  const after = parseDotEnv(setInEnvText(text, { SVC_LANGUAGE: "tr" }))
  assert.deepStrictEqual({ ...after }, { ...before, SVC_LANGUAGE: "tr" })
  assert.strictEqual(setInEnvText(text, {}), text)
})
