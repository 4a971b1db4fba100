import { mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { temporaryFolder } from "../../test/support/fileServices.ts"
import { makeGatewayApp } from "../../test/support/gatewayApp.ts"

const Agents = Schema.Struct({
  agents: Schema.Array(Schema.Struct({ id: Schema.String, workspace: Schema.optionalKey(Schema.String) }))
})
const Files = Schema.Struct({ workspace: Schema.String })

describe("agents of the practice gateway", () => {
  for (const generation of ["old", "new"] as const) {
    it.effect(`are those it was given and those made since, with a workspace each (${generation})`, () =>
      Effect.gen(function* () {
        const home = yield* temporaryFolder
        const { client, send } = yield* makeGatewayApp(
          { generation, home, agents: [{ id: "coder", name: "Coder" }] },
          { settings: { gatewayHome: home } }
        )
        const refusal = (params: object) =>
          client.request("agents.create", params, Schema.Unknown).pipe(
            Effect.flip,
            Effect.map(({ reason }) => reason)
          )
        assert.strictEqual(yield* refusal({ name: "main", workspace: "/x" }), "invalid")
        assert.strictEqual(yield* refusal({ name: "Coder", workspace: "/x" }), "invalid")
        if (generation === "old") assert.strictEqual(yield* refusal({ name: "helper" }), "invalid")
        const where = join(home, generation === "old" ? "workspace-helper" : "workspace/helper-one")
        const made = { name: "Helper One!", ...(generation === "old" ? { workspace: where } : {}) }
        assert.include(yield* client.request("agents.create", made, Schema.Record(Schema.String, Schema.Unknown)), {
          agentId: "helper-one",
          workspace: where
        })
        const { agents } = yield* client.request("agents.list", {}, Agents)
        assert.deepStrictEqual(
          agents.map(({ id }) => id),
          ["main", "coder", "helper-one"]
        )
        assert.strictEqual(agents[2]?.workspace, generation === "old" ? undefined : where)
        const files = (agentId: string) => client.request("agents.files.list", { agentId }, Files)
        assert.strictEqual((yield* files("coder")).workspace, join(home, "workspace-coder"))
        assert.strictEqual((yield* files("main")).workspace, join(home, "workspace"))
        assert.strictEqual((yield* Effect.flip(files("nobody"))).reason, "invalid")

        mkdirSync(where, { recursive: true })
        // The console asks the gateway once a second at most.
        const listed = yield* Effect.andThen(TestClock.adjust("1 second"), send("GET", "/api/agents")).pipe(
          Effect.repeat({ until: ({ body }) => body.agents.length === 3 })
        )
        assert.deepStrictEqual(listed.body.agents, [
          { id: "main", name: "main", isDefault: true, workspace: "ready" },
          { id: "coder", name: "Coder", isDefault: false, workspace: "new" },
          { id: "helper-one", name: "Helper One!", isDefault: false, workspace: "ready" }
        ])
        yield* send("PUT", "/api/workspace/user?agent=helper-one", { content: "Ada" })
        assert.strictEqual(readFileSync(join(where, "USER.md"), "utf8"), "Ada")
      })
    )
  }
})
