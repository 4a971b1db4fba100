import { assert, describe, it } from "@effect/vitest"
import { decodeAgents, readAgents } from "../../../src/core/sessions/sessionChoices.ts"

describe("agents", () => {
  it("come with the default one first, with the gateway's names", () => {
    const answer = {
      defaultId: "main",
      agents: [
        { id: "zed", identity: { name: "Zed" } },
        7,
        { name: "no id" },
        { id: "main", name: "Chief" },
        { id: "x" }
      ]
    }
    assert.deepStrictEqual(decodeAgents(answer), [
      { id: "main", name: "Chief" },
      { id: "zed", name: "Zed" },
      { id: "x", name: "x" }
    ])
    for (const odd of [null, [], "x", { agents: "all" }]) assert.deepStrictEqual(decodeAgents(odd), [])
  })

  it("are none when the gateway does not answer", async () => {
    assert.deepStrictEqual(await readAgents({ request: () => Promise.reject(new Error("no")) }), [])
  })
})
