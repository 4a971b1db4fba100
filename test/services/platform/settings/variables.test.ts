import { assert, describe, it } from "@effect/vitest"
import { mergeVariables, parseDotEnv } from "../../../../src/services/platform/settings/variables.ts"

describe(".env", () => {
  it("knows quotes, comments, export, CRLF and a byte order mark", () => {
    const text = `\uFEFFPORT=1\r\n# note\r\nexport HOST=h # where\r\nAGENT_NAME="A # B"\r\nA='x y'\r\nB = spaced \r\n`
    assert.deepStrictEqual(
      { ...parseDotEnv(text) },
      { PORT: "1", HOST: "h", AGENT_NAME: "A # B", A: "x y", B: "spaced" }
    )
  })

  it("passes over damaged lines and keeps the rest", () => {
    const variables = parseDotEnv(`=x\nnonsense\n"\n\u0000=\u0001\nOPEN="never closed\nPORT=2\n`)
    assert.strictEqual(variables.PORT, "2")
  })
})

it("the environment wins over .env, and an empty value is none", () => {
  const merged = mergeVariables([
    { PORT: "1", HOST: " " },
    { PORT: "2", HOST: "h", toString: "x" }
  ])
  assert.deepStrictEqual(Object.entries(merged), [
    ["PORT", "1"],
    ["HOST", "h"],
    ["toString", "x"]
  ])
})

it("an empty list of proxies counts, from whichever source is first", () => {
  assert.strictEqual(mergeVariables([{ TRUSTED_PROXIES: "" }, { TRUSTED_PROXIES: "10.0.0.1" }]).TRUSTED_PROXIES, "")
  assert.strictEqual(mergeVariables([{}, { TRUSTED_PROXIES: " " }]).TRUSTED_PROXIES, " ")
  assert.isUndefined(mergeVariables([{}, {}]).TRUSTED_PROXIES)
})
