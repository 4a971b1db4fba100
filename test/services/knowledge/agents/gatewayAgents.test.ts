import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { AgentId } from "../../../../src/contract/schema/knowledge.ts"
import { agentsOf } from "../../../../src/services/knowledge/agents/gatewayAgents.ts"

describe("agentsOf", () => {
  it("names each by what there is, and leaves odd ids out", () => {
    const agents = agentsOf({
      defaultId: "ops",
      agents: [
        { id: "main", workspace: "/a" },
        { id: "writer", name: " ", identity: { name: "The writer" }, workspace: 5 },
        { id: "ops", name: "Operations", identity: { name: "ignored" } },
        { id: "coder", name: null, identity: null, workspace: "" },
        { id: "../etc", name: "odd" },
        { id: "UPPER" }
      ]
    })
    assert.deepStrictEqual(agents, [
      { id: "main", name: "main", isDefault: false, workspace: "/a" },
      { id: "writer", name: "The writer", isDefault: false, workspace: undefined },
      { id: "ops", name: "Operations", isDefault: true, workspace: undefined },
      { id: "coder", name: "coder", isDefault: false, workspace: undefined }
    ])
  })
})

describe("AgentId", () => {
  it("is what the gateway makes of a name", () => {
    const isId = Schema.is(AgentId)
    for (const id of ["main", "a", "9", "helper-two", "a_b", "x".repeat(64)]) assert.isTrue(isId(id), id)
    for (const id of ["", "-a", "_a", "A", "a b", "a/b", "..", "a\n", "x".repeat(65)]) assert.isFalse(isId(id), id)
  })
})
