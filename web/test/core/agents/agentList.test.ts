import { assert, describe, it } from "@effect/vitest"
import { agentIn, agentsOf, colourOf, decodeAgents } from "../../../src/core/agents/agentList.ts"
import { createObservable } from "../../../src/core/common/Observable.ts"

describe("agents", () => {
  const answer = {
    defaultId: "main",
    agents: [
      { id: "zed", identity: { name: "Zed", emoji: "🦊" } },
      7,
      { name: "no id" },
      { id: "main", name: "Chief" },
      { id: "x" }
    ]
  }

  it("come with the default one first, with the gateway's names and faces", () => {
    assert.deepStrictEqual(decodeAgents(answer), [
      { id: "main", name: "Chief", emoji: null },
      { id: "zed", name: "Zed", emoji: "🦊" },
      { id: "x", name: "x", emoji: null }
    ])
    for (const odd of [null, [], "x", { agents: "all" }]) assert.deepStrictEqual(decodeAgents(odd), [])
  })

  it("have the console's name for the default one where the gateway gives it none", () => {
    const bare = { defaultId: "main", agents: [{ id: "main" }, { id: "x" }] }
    const names = (name: string) => decodeAgents(bare, name).map((agent) => agent.name)
    assert.deepStrictEqual(names("Otto"), ["Otto", "x"])
    assert.deepStrictEqual(names("Agent"), ["main", "x"])
  })

  it("keep their colour, and have a name before they are listed", () => {
    assert.strictEqual(colourOf("main"), colourOf("main"))
    assert.deepStrictEqual(agentIn([], "coder"), { id: "coder", name: "coder", emoji: null })
  })

  it("are read once for all who ask, when the gateway is there", async () => {
    let asked = 0
    const hello = createObservable<object | null>(null)
    const link = {
      hello,
      onEvent: () => () => {},
      request: () => {
        asked += 1
        return Promise.resolve(answer)
      }
    }
    const source = { linkOf: () => link, connectDefaults: createObservable(null) }
    const list = agentsOf(source, "primary")
    assert.strictEqual(agentsOf(source, "primary"), list)
    assert.deepStrictEqual(list.get(), [])
    assert.strictEqual(asked, 0)
    hello.set({})
    await Promise.resolve()
    await Promise.resolve()
    assert.strictEqual(asked, 1)
    assert.strictEqual(list.get().length, 3)
  })
})
