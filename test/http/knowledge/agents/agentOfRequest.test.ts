import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { textVersion } from "../../../../src/contract/textVersion.ts"
import { helperIn, makeHelperApp } from "../../../support/helperApp.ts"
import { makeKnowledgeApp } from "../../../support/knowledgeApp.ts"
import { worded } from "../../../support/worded.ts"

const GENERATIONS = ["old", "new"] as const

describe("the agent of a request", () => {
  for (const generation of GENERATIONS) {
    it.effect(`chooses whose memory, documents and files every route works on (${generation})`, () =>
      Effect.gen(function* () {
        const app = yield* makeHelperApp(generation)
        const { send, main, helper } = app
        const both = [
          { query: "", place: main, name: "main" },
          { query: "agent=helper", place: helper, name: "helper" }
        ]
        for (const { query, place, name } of both) {
          const at = (path: string, more = "") => {
            const parts = [more, query].filter((part) => part !== "").join("&")
            return parts === "" ? path : `${path}?${parts}`
          }
          const ok = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
            const answer = yield* send(method, path, body)
            assert.strictEqual(answer.status, 200, `${method} ${path} ${JSON.stringify(answer.body)}`)
            return answer.body
          })
          yield* ok("POST", at("/api/memories"), { text: `of ${name}`, section: "S" })
          assert.deepStrictEqual(yield* ok("GET", at("/api/memories")), [
            { type: "section", text: "S" },
            { type: "item", text: `of ${name}` }
          ])
          assert.include(yield* ok("GET", at("/api/memories/section", "title=S")), { content: `- of ${name}` })
          yield* ok("PUT", at("/api/memories/section"), { title: "S", content: `- kept by ${name}` })
          assert.strictEqual(readFileSync(join(place, "MEMORY.md"), "utf8").trim(), `## S\n\n- kept by ${name}`)
          mkdirSync(join(place, "memory"))
          writeFileSync(join(place, "memory", "2026-01-02.md"), `## Day of ${name}\n- x\n`)
          assert.deepInclude(yield* ok("GET", at("/api/memories")), {
            type: "daily",
            date: "2026-01-02",
            text: `Day of ${name}`
          })
          yield* ok("DELETE", at("/api/memories"), { query: `Day of ${name}`, type: "daily", date: "2026-01-02" })

          yield* ok("PUT", at("/api/workspace/soul"), { content: `I am ${name}` })
          assert.strictEqual(readFileSync(join(place, "SOUL.md"), "utf8"), `I am ${name}`)
          assert.include(yield* ok("GET", at("/api/workspace/soul")), { content: `I am ${name}` })
          const { files } = yield* ok("GET", at("/api/workspace"))
          assert.deepStrictEqual(
            files.filter(({ exists }: { exists: boolean }) => exists).map(({ key }: { key: string }) => key),
            ["soul"]
          )

          const { mtime } = yield* ok("POST", at("/api/files/write"), { path: "a.md", content: name, mtime: 0 })
          assert.strictEqual((yield* ok("GET", at("/api/files/read", "path=a.md"))).content, name)
          yield* ok("POST", at("/api/files/write"), { path: "a.md", content: `${name}!`, mtime })
          yield* ok("POST", at("/api/files/mkdir"), { path: `${name}-box` })
          yield* ok("POST", at("/api/files/rename"), { path: "a.md", name: "b.md" })
          yield* ok("POST", at("/api/files/move"), { path: "b.md", to: `${name}-box/b.md` })
          const form = new FormData()
          form.set("path", `${name}-box`)
          form.set("file", new Blob([`up ${name}`]), "up.txt")
          const uploaded = yield* app.request(at("/api/files/upload"), { method: "POST", body: form })
          assert.strictEqual(uploaded.status, 200)
          const download = yield* app.request(at("/api/files/download", `path=${name}-box/up.txt`))
          assert.strictEqual(yield* Effect.promise(() => download.text()), `up ${name}`)
          const { undo } = yield* ok("POST", at("/api/files/delete"), { path: `${name}-box` })
          assert.isFalse(existsSync(join(place, `${name}-box`)))
          const { entries } = yield* ok("GET", at("/api/files/trash"))
          assert.deepStrictEqual(
            entries.map(({ path }: { path: string }) => path),
            [`${name}-box`]
          )
          yield* ok("POST", at("/api/files/restore"), { undo })
          assert.strictEqual(readFileSync(join(place, `${name}-box`, "b.md"), "utf8"), `${name}!`)
          const names = (yield* ok("GET", at("/api/files/tree"))).map((node: { name: string }) => node.name)
          assert.deepStrictEqual(names, [`${name}-box`, "memory", "MEMORY.md", "SOUL.md"].sort(byKindThenName))
        }
      })
    )
  }

  it.effect("must be an id, once; one that the gateway does not have is 404 with a sentence", () =>
    Effect.gen(function* () {
      const app = yield* makeHelperApp()
      const hostile = [
        "",
        "../main",
        "..%2f..%2fetc",
        "Helper",
        "-x",
        "a%00b",
        "a/b",
        "a.b",
        "a%20b",
        "%F0%9F%A6%9E",
        "x".repeat(65),
        "helper&agent=main",
        "helper&agent=helper"
      ]
      const routes = [
        ["GET", "/api/memories", undefined],
        ["GET", "/api/memories/section?title=S", undefined],
        ["POST", "/api/memories", { text: "x" }],
        ["PUT", "/api/memories/section", { title: "S", content: "x" }],
        ["DELETE", "/api/memories", { query: "x" }],
        ["GET", "/api/workspace", undefined],
        ["GET", "/api/workspace/soul", undefined],
        ["PUT", "/api/workspace/soul", { content: "x" }],
        ["GET", "/api/files/tree", undefined],
        ["GET", "/api/files/read?path=a.md", undefined],
        ["GET", "/api/files/download?path=a.md", undefined],
        ["GET", "/api/files/trash", undefined],
        ["POST", "/api/files/write", { path: "a.md", content: "x", mtime: 0 }],
        ["POST", "/api/files/mkdir", { path: "a" }],
        ["POST", "/api/files/rename", { path: "a", name: "b" }],
        ["POST", "/api/files/move", { path: "a", to: "b" }],
        ["POST", "/api/files/delete", { path: "a" }],
        ["POST", "/api/files/restore", { undo: "0000000000000-000000000000" }]
      ] as const
      for (const [method, path, body] of routes) {
        const at = (agent: string) => `${path}${path.includes("?") ? "&" : "?"}agent=${agent}`
        for (const [index, agent] of hostile.entries()) {
          const response = yield* app.request(at(agent), {
            method,
            peer: `10.0.0.${index + 1}`,
            ...(body === undefined ? {} : { body: JSON.stringify(body) })
          })
          const text = yield* Effect.promise(() => response.text())
          assert.strictEqual(response.status, 400, `${method} ${at(agent)} ${text}`)
          assert.include(text, "agent", text)
        }
        const unknown = yield* app.send(method, at("nobody"), body)
        assert.strictEqual(unknown.status, 404, `${method} ${at("nobody")}`)
        assert.deepStrictEqual(worded(unknown.body), {
          error: "unknown_agent",
          details: "The gateway has no agent called nobody. Choose another one."
        })
      }
      assert.isFalse(existsSync(join(app.main, "a.md")))
    })
  )

  it.effect("a workspace that is not there yet is empty, and the first save makes it", () =>
    Effect.gen(function* () {
      const app = yield* makeKnowledgeApp({ agents: helperIn })
      mkdirSync(app.settings.gatewayHome)
      const helper = join(app.settings.gatewayHome, "workspace-helper")
      assert.deepStrictEqual((yield* app.send("GET", "/api/memories?agent=helper")).body, [])
      assert.deepStrictEqual((yield* app.send("GET", "/api/files/tree?agent=helper")).body, [])
      assert.isFalse((yield* app.send("GET", "/api/workspace?agent=helper")).body.files[0].exists)
      assert.isFalse(existsSync(helper), "reading makes nothing")
      yield* app.send("PUT", "/api/workspace/user?agent=helper", { content: "Ada" })
      assert.strictEqual(readFileSync(join(helper, "USER.md"), "utf8"), "Ada")
      assert.isFalse(existsSync(join(app.settings.gatewayHome, "workspace")))
    })
  )

  it.effect("where the gateway's folder is not on this machine nothing is made", () =>
    Effect.gen(function* () {
      const app = yield* makeKnowledgeApp({ agents: helperIn })
      const saved = yield* app.send("POST", "/api/files/write?agent=helper", { path: "a.md", content: "x", mtime: 0 })
      assert.deepStrictEqual([saved.status, saved.body.error], [404, "workspace_missing"])
      assert.isFalse(existsSync(app.settings.gatewayHome))
    })
  )

  it.effect("both agents edited at once keep their own, with their own versions", () =>
    Effect.gen(function* () {
      const { send, main, helper } = yield* makeHelperApp()
      const agents = [
        { query: "", place: main },
        { query: "?agent=helper", place: helper }
      ]
      const numbers = Array.from({ length: 20 }, (_, index) => index)
      yield* Effect.forEach(
        agents.flatMap((agent) => numbers.map((number) => ({ ...agent, number }))),
        ({ query, number }) => send("POST", `/api/memories${query}`, { text: `${query} ${number}`, section: "S" }),
        { concurrency: "unbounded" }
      )
      for (const { query, place } of agents) {
        const lines = readFileSync(join(place, "MEMORY.md"), "utf8").trim().split("\n")
        assert.deepStrictEqual(
          lines.slice(2).sort(),
          numbers.map((number) => `- ${query} ${number}`.replace("-  ", "- ")).sort()
        )
      }
      for (const { query } of agents) yield* send("PUT", `/api/workspace/soul${query}`, { content: `first ${query}` })
      const crossed = yield* send("PUT", "/api/workspace/soul?agent=helper", {
        content: "made from the other's",
        version: textVersion("first ")
      })
      assert.strictEqual(crossed.status, 409)
      const saves = yield* Effect.forEach(
        agents.flatMap(({ query }) => numbers.map((number) => ({ query, number }))),
        ({ query, number }) =>
          send("POST", `/api/files/write${query}`, { path: "same.md", content: `${query} ${number}`, mtime: 0 }),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(saves.filter(({ status }) => status === 200).length, 2, "one winner for each agent")
      assert.match(readFileSync(join(main, "same.md"), "utf8"), /^ \d+$/)
      assert.match(readFileSync(join(helper, "same.md"), "utf8"), /^\?agent=helper \d+$/)
    })
  )

  it.effect("what one agent deleted is not in the other's trash, and cannot be restored there", () =>
    Effect.gen(function* () {
      const { send, helper, main } = yield* makeHelperApp()
      writeFileSync(join(helper, "a.md"), "x")
      const { body } = yield* send("POST", "/api/files/delete?agent=helper", { path: "a.md" })
      assert.deepStrictEqual((yield* send("GET", "/api/files/trash")).body.entries, [])
      assert.strictEqual((yield* send("POST", "/api/files/restore", { undo: body.undo })).status, 404)
      assert.strictEqual((yield* send("POST", "/api/files/restore?agent=helper", { undo: body.undo })).status, 200)
      assert.isTrue(existsSync(join(helper, "a.md")))
      assert.isFalse(existsSync(join(main, "a.md")))
    })
  )

  it.effect("a link from one workspace into another is judged as any link that leads out", () =>
    Effect.gen(function* () {
      const { send, main, helper } = yield* makeHelperApp()
      writeFileSync(join(main, "USER.md"), "of main")
      mkdirSync(join(main, "notes"))
      writeFileSync(join(main, "notes", "n.md"), "of main")
      symlinkSync(join(main, "USER.md"), join(helper, "link.md"))
      symlinkSync(join(main, "notes"), join(helper, "notes"))
      symlinkSync(join(helper), join(main, "back"))
      for (const [method, path, body] of [
        ["GET", "/api/files/read?agent=helper&path=link.md", undefined],
        ["GET", "/api/files/download?agent=helper&path=notes/n.md", undefined],
        ["GET", "/api/files/tree?agent=helper&path=notes", undefined],
        ["GET", "/api/files/tree?path=back", undefined],
        ["POST", "/api/files/write?agent=helper", { path: "notes/new.md", content: "x", mtime: 0 }],
        ["POST", "/api/files/write", { path: "back/new.md", content: "x", mtime: 0 }],
        ["POST", "/api/files/delete?agent=helper", { path: "notes/n.md" }]
      ] as const) {
        const answer = yield* send(method, path, body)
        assert.strictEqual(answer.status, 400, path)
        assert.strictEqual(answer.body.details, "path: must be inside the folder", path)
      }
      const names = (yield* send("GET", "/api/files/tree?agent=helper")).body
      assert.deepStrictEqual(names, [])
    })
  )

  it.effect("FILE_BROWSER_ROOT takes the place of the default agent's files alone", () =>
    Effect.gen(function* () {
      const app = yield* makeKnowledgeApp({
        agents: helperIn,
        settings: ({ folder }) => ({ fileBrowserRoot: join(folder, "browsed") })
      })
      mkdirSync(join(app.folder, "browsed"))
      mkdirSync(join(app.settings.gatewayHome, "workspace-helper"), { recursive: true })
      writeFileSync(join(app.folder, "browsed", "b.md"), "")
      writeFileSync(join(app.settings.gatewayHome, "workspace-helper", "h.md"), "")
      const names = (path: string) =>
        Effect.map(app.send("GET", path), ({ body }) => body.map(({ name }: { name: string }) => name))
      assert.deepStrictEqual(yield* names("/api/files/tree"), ["b.md"])
      assert.deepStrictEqual(yield* names("/api/files/tree?agent=main"), ["b.md"])
      assert.deepStrictEqual(yield* names("/api/files/tree?agent=helper"), ["h.md"])
      assert.isTrue((yield* app.send("GET", "/api/files/trash")).body.isPermanent)
      assert.isFalse((yield* app.send("GET", "/api/files/trash?agent=helper")).body.isPermanent)
    })
  )
})

/** Folders come first, then names regardless of letter case. */
const byKindThenName = (left: string, right: string): number => {
  const isFile = (name: string) => Number(name.endsWith(".md"))
  return isFile(left) - isFile(right) || (left.toLowerCase() < right.toLowerCase() ? -1 : 1)
}
