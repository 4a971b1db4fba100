import { randomUUID } from "node:crypto"
import { assert, inject, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { freePort } from "../support/freePort.ts"
import { newDevice, openLink } from "../support/gatewayLink.ts"
import { rest } from "../support/servedAgent.ts"
import { startConsole } from "./support/consoleProcess.ts"
import { describeOn } from "./support/describeOn.ts"
import { startGateway } from "./support/realGateway.ts"
import { temporaryDirectory } from "./support/temporaryDirectory.ts"

const tool = (name: string, args: object) => `[[mock:tool=agent-console__${name} ${JSON.stringify(args)}]]`

for (const offered of inject("gateways")) {
  const { version } = offered
  describeOn(offered, version.startsWith("2026.3") ? "this generation takes no tools from the console" : undefined)(
    `agents of gateway ${version} with the console's tools`,
    () => {
      it.live(
        "get them from the console, create a card, ask a person whose answer they fetch, and lose them again",
        () =>
          Effect.gen(function* () {
            const port = yield* Effect.promise(freePort)
            const token = randomUUID()
            const HOME = yield* temporaryDirectory
            const { url } = yield* startConsole({ HOME, GATEWAY_URL: `http://127.0.0.1:${port}`, GATEWAY_TOKEN: token })
            const gateway = yield* startGateway({ version, port, token })
            const link = yield* openLink(gateway.url.replace("http", "ws"))
            yield* link.connect({ token: gateway.token, device: newDevice() })
            const say = Effect.fnUntraced(function* (message: string) {
              const idempotencyKey = randomUUID()
              yield* link.call("chat.send", { sessionKey: "agent:main:tools", message, idempotencyKey })
              yield* link.waitFor(
                ({ event, payload }) =>
                  event === "chat" && payload?.runId === idempotencyKey && payload.state === "final"
              )
            })
            const send = (method: string, path: string, body?: object) => rest(url, method, path, body)
            const read = (path: string) => Effect.map(send("GET", path), ({ body }) => body)
            const agents = "/api/mcp/gateway"
            const configured = Effect.map(link.call("config.get", {}), ({ hash, config }) => ({
              hash: String(hash),
              servers: Object(Object(config).mcp).servers
            }))
            /** What somebody else changes there. */
            const set = (hash: string, entry: object | null) =>
              link.call("config.patch", {
                raw: JSON.stringify({ mcp: { servers: { "agent-console": entry } } }),
                baseHash: hash
              })

            const off = yield* read(agents).pipe(
              Effect.repeat({ schedule: Schedule.spaced("200 millis"), until: ({ state }) => state !== undefined })
            )
            assert.deepStrictEqual(off, { state: "off", address: url })
            const rights = ["read", "write", "ask"]
            const added = yield* send("PUT", agents, { address: url, rights })
            assert.deepStrictEqual(added, { status: 200, body: { state: "on", address: url } })
            assert.notInclude(JSON.stringify(yield* configured), "agc_")

            yield* say(`Add it. ${tool("create_task", { title: "From the gateway's agent" })}`)
            const { items } = yield* read("/api/kanban/tasks")
            assert.deepInclude(items[0], { title: "From the gateway's agent", createdBy: "agent:gateway" })

            yield* say(`Ask. ${tool("ask_person", { question: "Which colour?", taskId: items[0].id })}`)
            const asked = yield* read("/api/inbox?kind=question").pipe(
              Effect.repeat({ schedule: Schedule.spaced("1 second"), until: ({ items }) => items.length === 1 })
            )
            const [question] = asked.items
            assert.deepInclude(question, { title: "Which colour?", detail: "Asked by gateway", taskId: items[0].id })
            yield* send("POST", `/api/inbox/${question.id}/resolve`, {
              action: "answer",
              answers: { "1": { text: "Violet" } }
            })
            yield* say(`Fetch. ${tool("get_answer", { id: question.id })}`)
            const { messages } = yield* link.call("chat.history", { sessionKey: "agent:main:tools", limit: 50 })
            assert.include(JSON.stringify(messages), "Violet")

            const { hash } = yield* configured
            yield* set(hash, { toolFilter: { exclude: ["search"] } })
            const stale = yield* link.request("config.patch", { raw: '{"mcp":{"servers":{}}}', baseHash: hash })
            assert.match(String(stale.error?.message), /^config changed since last load/)
            const removed = yield* send("DELETE", agents)
            assert.strictEqual(removed.body.state, "off", JSON.stringify(removed))
            assert.deepStrictEqual((yield* configured).servers, {})
            assert.deepStrictEqual(yield* read("/api/mcp/tokens"), { tokens: [] })
            yield* say(`Again. ${tool("create_task", { title: "Too late" })}`)
            assert.strictEqual((yield* read("/api/kanban/tasks")).items.length, 1)

            yield* set((yield* configured).hash, { url: `${url}/mcp`, transport: "streamable-http" })
            assert.deepStrictEqual(yield* read(agents), { state: "taken" })
            assert.strictEqual((yield* send("PUT", agents, { address: url, rights })).body.error, "server_name_taken")
          })
      )
    }
  )
}
