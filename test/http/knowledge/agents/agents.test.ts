import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { makeHelperApp } from "../../../support/helperApp.ts"
import { makeKnowledgeApp } from "../../../support/knowledgeApp.ts"

const GENERATIONS = ["old", "new"] as const

describe("agents", () => {
  for (const generation of GENERATIONS) {
    it.effect(`the ${generation} gateway's are listed with how their workspaces are`, () =>
      Effect.gen(function* () {
        const app = yield* makeKnowledgeApp({
          generation,
          settings: ({ folder }) => ({ workspaceRoot: join(folder, "projects") }),
          agents: ({ folder, gatewayHome }) => [
            { id: "nested", name: "In the other's", workspace: join(gatewayHome, "workspace", "nested") },
            { id: "beside", workspace: join(gatewayHome, "workspace-beside") },
            { id: "project", workspace: join(folder, "projects", "one") },
            { id: "gone", workspace: join(folder, "projects", "gone") },
            { id: "outside", workspace: join(folder, "elsewhere") },
            { id: "likeness", workspace: join(folder, "projects-not") },
            { id: "linked", workspace: join(gatewayHome, "workspace-linked") },
            { id: "all", workspace: folder },
            { id: "secrets", workspace: gatewayHome },
            { id: "console", workspace: join(folder, "svc") },
            { id: "file", workspace: join(gatewayHome, "file.md") },
            { id: "relative", workspace: "workspace" },
            { id: "silent" },
            { id: "Not An Id", workspace: join(gatewayHome, "workspace-x") }
          ]
        })
        const home = app.settings.gatewayHome
        for (const place of ["workspace/nested", "../projects/one", "../projects-not", "../elsewhere", "../svc"])
          mkdirSync(join(home, place), { recursive: true })
        symlinkSync(join(app.folder, "elsewhere"), join(home, "workspace-linked"))
        writeFileSync(join(home, "file.md"), "")
        const { status, body } = yield* app.send("GET", "/api/agents")
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(body.agents[0], { id: "main", name: "main", isDefault: true, workspace: "ready" })
        assert.deepStrictEqual(
          body.agents.map(({ id, workspace }: { id: string; workspace: string }) => `${id} ${workspace}`),
          [
            "main ready",
            "nested ready",
            "beside new",
            "project ready",
            ...["gone", "outside", "likeness", "linked", "all", "secrets", "console", "file", "relative", "silent"].map(
              (id) => `${id} unavailable`
            )
          ]
        )
        assert.strictEqual(body.agents[1].name, "In the other's")
        for (const { id, workspace, details } of body.agents) {
          if (workspace !== "unavailable") continue
          assert.match(details, /^The|^There is a file/, id)
          for (const path of [
            `/api/memories?agent=${id}`,
            `/api/workspace?agent=${id}`,
            `/api/files/tree?agent=${id}`,
            `/api/files/read?path=x.md&agent=${id}`
          ]) {
            const answer = yield* app.send("GET", path)
            assert.include([403, 404], answer.status, path)
            assert.strictEqual(answer.body.details, details, path)
            assert.notInclude(JSON.stringify(answer.body), app.folder, path)
          }
        }
      })
    )
  }

  it.effect("without the gateway the default agent's things are there, and of the others it is said why not", () =>
    Effect.gen(function* () {
      const app = yield* makeHelperApp()
      app.agents.isReachable = false
      assert.strictEqual((yield* app.send("GET", "/api/memories")).status, 200)
      assert.strictEqual((yield* app.send("GET", "/api/agents")).status, 502)
      const asked = yield* app.send("GET", "/api/workspace?agent=helper")
      assert.deepStrictEqual([asked.status, asked.body.error], [502, "gateway_failure"])
      app.agents.isReachable = true
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* app.send("GET", "/api/workspace?agent=helper")).status, 200)
      app.agents.isReachable = false
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* app.send("GET", "/api/workspace?agent=helper")).status, 200, "its last word counts")
      assert.strictEqual((yield* app.send("GET", "/api/workspace?agent=other")).status, 404)
    })
  )

  it.effect(
    "an agent made meanwhile is found at once, one that is gone is not, and the gateway is not asked too often",
    () =>
      Effect.gen(function* () {
        const app = yield* makeHelperApp()
        const status = (agent: string) =>
          Effect.map(app.send("GET", `/api/memories?agent=${agent}`), (answer) => answer.status)
        assert.strictEqual(yield* status("later"), 404)
        app.agents.list = [
          ...app.agents.list,
          { id: "later", workspace: join(app.settings.gatewayHome, "workspace-later") }
        ]
        yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* status("later"), 200)
        app.agents.list = app.agents.list.filter(({ id }) => id !== "helper")
        const before = app.gateway.count("agents.list")
        for (let asked = 0; asked < 50; asked += 1) yield* status("helper")
        assert.strictEqual(app.gateway.count("agents.list"), before)
        yield* TestClock.adjust("11 seconds")
        assert.strictEqual(yield* status("helper"), 404)
        for (let asked = 0; asked < 30; asked += 1) yield* status(`nobody-${asked}`)
        assert.strictEqual(app.gateway.count("agents.list"), before + 1)
      })
  )

  it.effect("no agent means the one whose workspace the settings name, else the gateway's default one", () =>
    Effect.gen(function* () {
      const app = yield* makeKnowledgeApp({
        agents: ({ gatewayHome }) => [{ id: "ops", workspace: join(gatewayHome, "workspace", "ops") }]
      })
      app.agents.defaultId = "ops"
      const defaults = Effect.map(app.send("GET", "/api/agents"), ({ body }) =>
        body.agents.map(({ id, isDefault }: { id: string; isDefault: boolean }) => `${id} ${isDefault}`)
      )
      mkdirSync(join(app.settings.gatewayHome, "workspace"), { recursive: true })
      assert.deepStrictEqual(yield* defaults, ["main true", "ops false"])
      yield* app.send("PUT", "/api/workspace/soul?agent=ops", { content: "of ops" })
      assert.isTrue(existsSync(join(app.settings.gatewayHome, "workspace", "ops", "SOUL.md")))
      yield* app.send("PUT", "/api/workspace/soul?agent=main", { content: "of main" })
      assert.strictEqual((yield* app.send("GET", "/api/workspace/soul")).body.content, "of main")
      app.agents.list = app.agents.list.map(({ id }) => ({ id, workspace: join(app.folder, id) }))
      yield* TestClock.adjust("11 seconds")
      assert.deepStrictEqual(yield* defaults, ["ops true", "main false"])
      assert.strictEqual((yield* app.send("GET", "/api/workspace/soul?agent=ops")).body.content, "of main")
    })
  )

  it.effect("the default agent's id means the same as none, whatever it is called", () =>
    Effect.gen(function* () {
      const app = yield* makeKnowledgeApp({
        agents: ({ gatewayHome }) => [{ id: "ops", workspace: join(gatewayHome, "workspace") }]
      })
      app.agents.defaultId = "ops"
      app.agents.list = app.agents.list.map((agent) =>
        agent.id === "main" ? { ...agent, workspace: join(app.settings.gatewayHome, "workspace-main") } : agent
      )
      yield* app.send("POST", "/api/memories?agent=ops", { text: "of the default one", section: "S" })
      yield* app.send("POST", "/api/memories?agent=main", { text: "of main", section: "S" })
      const texts = (path: string) =>
        Effect.map(app.send("GET", path), ({ body }) => body.map(({ text }: { text: string }) => text))
      assert.deepStrictEqual(yield* texts("/api/memories"), ["S", "of the default one"])
      assert.deepStrictEqual(yield* texts("/api/memories?agent=ops"), ["S", "of the default one"])
      assert.deepStrictEqual(yield* texts("/api/memories?agent=main"), ["S", "of main"])
      assert.deepStrictEqual((yield* app.send("GET", "/api/agents")).body.agents[0].id, "ops")
    })
  )
})
