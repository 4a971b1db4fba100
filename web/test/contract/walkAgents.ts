import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { createAgentTokenStore } from "../../src/core/agents/AgentTokenStore.ts"
import { createGatewayAgentsStore } from "../../src/core/agents/GatewayAgentsStore.ts"
import type { Client } from "../../src/core/client/Client.ts"
import type { makeFilledApp } from "./filledApp.ts"

interface AgentsPage extends Pick<Effect.Success<typeof makeFilledApp>, "request"> {
  readonly client: Client
}

/** A token of an agent, used and revoked, and the gateway's own agents given one and rid of it. */
export const walkAgents = Effect.fnUntraced(function* ({ client, request }: AgentsPage) {
  const tokens = createAgentTokenStore(client.api)
  const created = yield* Effect.promise(() => tokens.create("coder", ["read"]))
  assert.isTrue(created.ok, JSON.stringify(created))
  const authorization = `Bearer ${tokens.state.get().created?.secret}`
  yield* request("/mcp", { method: "POST", headers: { authorization }, body: "{}" })
  yield* Effect.promise(async () => {
    await tokens.load()
    assert.isTrue((await tokens.revoke(tokens.state.get().tokens[0]?.id ?? "")).ok)
    const own = createGatewayAgentsStore(client.api)
    await own.load()
    assert.strictEqual(own.state.get().found?.state, "off", JSON.stringify(own.state.get()))
    const added = await own.add("http://127.0.0.1:3080", ["read"])
    assert.isTrue(added.ok, JSON.stringify(added))
    assert.isTrue((await own.remove()).ok)
  })
})
