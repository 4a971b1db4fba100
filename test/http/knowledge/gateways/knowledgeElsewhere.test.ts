import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Schedule, Schema } from "effect"
import { practiceGateway } from "../../../../practice-gateway/older/practiceGateway.ts"
import { EmbeddedGateway } from "../../../../practice-gateway/src/EmbeddedGateway.ts"
import { GatewayClient } from "../../../../src/services/gateway/client/GatewayClient.ts"
import { temporaryFolder } from "../../../support/fileServices.ts"
import { makeJsonApp } from "../../../support/gatewayApp.ts"
import { clientLayer, connected } from "../../../support/liveClient.ts"

const Answer = Schema.Struct({
  file: Schema.Struct({ content: Schema.optionalKey(Schema.String), hash: Schema.optionalKey(Schema.String) })
})

const eventually = <A, E>(ask: Effect.Effect<A, E>, isIt: (answer: A) => boolean) =>
  Effect.repeat(ask, { schedule: Schedule.spaced("200 millis"), until: isIt })

/** A console whose primary gateway isn't there, with an added one of this generation, and somebody else on that. */
const makeWorld = Effect.fnUntraced(function* (generation: "new" | "old") {
  const gateway = yield* Effect.flatMap(
    Layer.build(practiceGateway({ tokenMs: 5, generation, agents: [{ id: "helper", name: "Helper" }] })),
    (context) => Effect.provide(EmbeddedGateway, context)
  )
  const token = Redacted.value(gateway.token)
  const other = yield* Layer.build(clientLayer({ url: gateway.url, token }))
  yield* Effect.provide(connected, other)
  const folder = yield* temporaryFolder
  const app = yield* makeJsonApp({ settings: { svcHome: `${folder}/svc`, gatewayHome: `${folder}/gateway` } })
  yield* app.send("POST", "/api/gateways", { id: "work", name: "Work", url: gateway.url, token })
  yield* eventually(app.send("GET", "/api/gateways"), ({ body }) =>
    body.gateways.some(({ state }: { readonly state: string }) => state === "ok")
  )
  /** What the gateway itself says or does, asked by somebody else. */
  const ask = (method: string, params: object) =>
    Effect.flatMap(GatewayClient, (client) => client.request(method, params, Answer)).pipe(Effect.provide(other))
  return { ...app, ask, control: gateway.control }
})

describe("what agents of an added gateway know", () => {
  it.live(
    "their documents are read and saved by the gateway's own methods, and the console's own stay as they are",
    () =>
      Effect.gen(function* () {
        const { ask, send } = yield* makeWorld("old")
        const agents = yield* send("GET", "/api/agents?gateway=work")
        assert.deepStrictEqual(
          agents.body.agents.map(({ id, isDefault }: { id: string; isDefault: boolean }) => [id, isDefault]),
          [
            ["main", true],
            ["helper", false]
          ]
        )
        const list = yield* send("GET", "/api/workspace?gateway=work&agent=helper")
        assert.strictEqual(list.body.files.length, 6)
        assert.deepInclude(list.body.files, { key: "soul", filename: "SOUL.md", exists: true })
        assert.deepInclude(list.body.files, { key: "user", filename: "USER.md", exists: false })
        const before = yield* send("GET", "/api/workspace/soul?gateway=work&agent=helper")
        const { version } = before.body
        const saved = yield* send("PUT", "/api/workspace/soul?gateway=work&agent=helper", {
          content: "calm\n",
          version
        })
        assert.strictEqual(saved.status, 200)
        const stale = yield* send("PUT", "/api/workspace/soul?gateway=work&agent=helper", {
          content: "loud\n",
          version
        })
        assert.deepStrictEqual([stale.status, stale.body.error], [409, "conflict"])
        const { file } = yield* ask("agents.files.get", { agentId: "helper", name: "SOUL.md" })
        assert.strictEqual(file.content, "calm\n")
        assert.include((yield* send("GET", "/api/workspace/soul?gateway=work")).body.content, "Kind, brief")
        assert.strictEqual((yield* send("GET", "/api/workspace/soul")).status, 404)
        assert.strictEqual((yield* send("GET", "/api/workspace/soul?gateway=nobody")).status, 404)
        const nobody = yield* send("GET", "/api/workspace?gateway=work&agent=nobody")
        assert.deepStrictEqual([nobody.status, nobody.body.error], [404, "unknown_agent"])
      }).pipe(Effect.scoped)
  )

  it.live("a document that the newer gateway doesn't hand out isn't listed, and says so when asked for", () =>
    Effect.gen(function* () {
      const { send } = yield* makeWorld("new")
      const { body } = yield* send("GET", "/api/workspace?gateway=work")
      assert.deepStrictEqual(
        body.files.map(({ key }: { readonly key: string }) => key),
        ["soul", "identity", "user", "agents"]
      )
      const tools = yield* send("GET", "/api/workspace/tools?gateway=work")
      assert.deepStrictEqual(
        [tools.status, tools.body.details],
        [403, "This gateway doesn't hand out TOOLS.md: read and edit it on the gateway's machine."]
      )
    }).pipe(Effect.scoped)
  )

  it.live("their memory is shown with its days and edited, without losing what somebody else writes meanwhile", () =>
    Effect.gen(function* () {
      const { ask, send } = yield* makeWorld("new")
      const { body } = yield* send("GET", "/api/memories?gateway=work")
      assert.deepStrictEqual(body, [
        { type: "section", text: "General" },
        { type: "item", text: "Tea rather than coffee" },
        { type: "daily", date: "2026-01-05", text: "The first day" }
      ])
      const day = yield* send("GET", "/api/memories/section?gateway=work&title=The%20first%20day&date=2026-01-05")
      assert.include(day.body.content, "Said hello")
      const change = { title: "The first day", date: "2026-01-05", content: "- nothing" }
      const refused = yield* send("PUT", "/api/memories/section?gateway=work", change)
      assert.strictEqual(refused.status, 403)
      assert.include(refused.body.details, "takes no changes")

      const adds = Array.from({ length: 6 }, (_, index) => ({ text: `fact ${index}`, section: "General" }))
      const write = (index: number) =>
        ask("agents.files.get", { agentId: "main", name: "MEMORY.md" }).pipe(
          Effect.flatMap(({ file: { content, hash } }) =>
            ask("agents.files.set", {
              agentId: "main",
              name: "MEMORY.md",
              content: `${content}- theirs ${index}\n`,
              expectedHash: hash
            })
          ),
          Effect.retry({ times: 20 })
        )
      const answers = yield* Effect.all(
        [
          Effect.forEach(adds, (add) => send("POST", "/api/memories?gateway=work", add), { concurrency: 2 }),
          Effect.forEach([0, 1, 2], write)
        ],
        { concurrency: 2 }
      )
      const taken = adds.filter((_, index) => answers[0][index]?.status === 200)
      assert.isNotEmpty(taken)
      const { file } = yield* ask("agents.files.get", { agentId: "main", name: "MEMORY.md" })
      for (const { text } of taken) assert.include(file.content ?? "", `- ${text}\n`)
      for (const index of [0, 1, 2]) assert.include(file.content ?? "", `- theirs ${index}\n`)
    }).pipe(Effect.scoped)
  )

  it.live("an older gateway shows no days, and its memory can be edited", () =>
    Effect.gen(function* () {
      const { send } = yield* makeWorld("old")
      const { body } = yield* send("GET", "/api/memories?gateway=work")
      assert.deepStrictEqual(
        body.map(({ type }: { readonly type: string }) => type),
        ["section", "item"]
      )
      assert.strictEqual(
        (yield* send("DELETE", "/api/memories?gateway=work", { query: "Tea rather than coffee" })).status,
        200
      )
    }).pipe(Effect.scoped)
  )

  it.live("a gateway that is gone says so, and the console's own agents aren't touched by it", () =>
    Effect.gen(function* () {
      const { control, send } = yield* makeWorld("new")
      yield* control.stop
      const gone = yield* eventually(send("GET", "/api/workspace?gateway=work"), ({ status }) => status !== 200)
      assert.deepStrictEqual([gone.status, gone.body.error], [502, "gateway_failure"])
      assert.strictEqual((yield* send("PUT", "/api/workspace/soul", { content: "here" })).status, 200)
      assert.strictEqual((yield* send("GET", "/api/workspace/soul")).body.content, "here")
    }).pipe(Effect.scoped)
  )

  it.live("their files are shown by a newer gateway, and none can be changed from here", () =>
    Effect.gen(function* () {
      const { send } = yield* makeWorld("new")
      yield* send("PUT", "/api/workspace/soul", { content: "of the console's own agent" })
      const tree = yield* send("GET", "/api/files/tree?gateway=work")
      assert.deepStrictEqual(tree.body, [
        { name: "memory", path: "memory", type: "directory" },
        { name: "IDENTITY.md", path: "IDENTITY.md", type: "file" },
        { name: "MEMORY.md", path: "MEMORY.md", type: "file" },
        { name: "SOUL.md", path: "SOUL.md", type: "file" }
      ])
      const folder = yield* send("GET", "/api/files/tree?gateway=work&agent=helper&path=memory")
      assert.deepStrictEqual(folder.body, [{ name: "2026-01-05.md", path: "memory/2026-01-05.md", type: "file" }])
      const read = (path: string) => send("GET", `/api/files/read?gateway=work&path=${encodeURIComponent(path)}`)
      assert.include((yield* read("memory/2026-01-05.md")).body.content, "Said hello")
      for (const path of ["nothing.md", "../etc/passwd", "/etc/passwd", "memory"])
        assert.strictEqual((yield* read(path)).status, 400, path)
      assert.strictEqual((yield* send("GET", "/api/files/tree?gateway=work&path=nothing")).status, 404)
      const changes = [
        ["write", { path: "SOUL.md", content: "mine", mtime: 0 }],
        ["mkdir", { path: "made" }],
        ["rename", { path: "SOUL.md", name: "b.md" }],
        ["move", { path: "SOUL.md", to: "b.md" }],
        ["delete", { path: "SOUL.md" }],
        ["restore", { undo: "0-000000000000-SOUL.md" }]
      ] as const
      for (const [change, body] of changes) {
        const { status } = yield* send("POST", `/api/files/${change}?gateway=work&agent=main`, body)
        assert.include([400, 403], status, change)
      }
      assert.strictEqual((yield* send("GET", "/api/files/trash?gateway=work")).status, 403)
      assert.strictEqual((yield* send("GET", "/api/files/download?gateway=work&path=SOUL.md")).status, 403)
      assert.strictEqual((yield* send("GET", "/api/workspace/soul")).body.content, "of the console's own agent")
    }).pipe(Effect.scoped)
  )

  it.live("their files aren't shown by an older gateway, which says so", () =>
    Effect.gen(function* () {
      const { send } = yield* makeWorld("old")
      const { body, status } = yield* send("GET", "/api/files/tree?gateway=work")
      assert.strictEqual(status, 403)
      assert.include(body.details, "doesn't show its agents' files")
    }).pipe(Effect.scoped)
  )
})
