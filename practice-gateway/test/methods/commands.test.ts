import { assert, it } from "@effect/vitest"
import { parseCommand } from "../../src/methods/commands.ts"

it("recognises commands and nothing else", () => {
  assert.deepStrictEqual(parseCommand("/status"), { name: "status", argument: "" })
  assert.deepStrictEqual(parseCommand("  /model demo/swift "), { name: "model", argument: "demo/swift" })
  assert.deepStrictEqual(parseCommand("/think high"), { name: "think", argument: "high" })
  for (const text of ["status", "/", "/unknown", "see /status", "/Status", "/statusx"])
    assert.isUndefined(parseCommand(text), text)
})
