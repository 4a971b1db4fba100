import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { makeKnowledgeApp } from "../../../support/knowledgeApp.ts"

const makeWorkspace = Effect.fnUntraced(function* () {
  const app = yield* makeKnowledgeApp({
    agents: ({ gatewayHome }) => [{ id: "helper", workspace: `${gatewayHome}/workspace-helper` }]
  })
  const put = (path: string, workspace = "workspace") => {
    const at = join(app.settings.gatewayHome, workspace, path)
    mkdirSync(join(at, ".."), { recursive: true })
    writeFileSync(at, "")
  }
  const find = (query: string, more = "") =>
    Effect.map(
      app.send("GET", `/api/files/find?q=${encodeURIComponent(query)}${more}`),
      ({ body, status }) => [status, body.entries?.map(({ path }: { readonly path: string }) => path)] as const
    )
  return { ...app, put, find }
})

describe("finding files", () => {
  it.effect("finds files and folders, without what the file browser leaves out", () =>
    Effect.gen(function* () {
      const { find, put, settings } = yield* makeWorkspace()
      for (const path of ["notes/plan.md", "plans/a.md", "node_modules/plan/index.js", ".git/plan", "dist/plan.js"])
        put(path)
      symlinkSync("/etc", join(settings.gatewayHome, "workspace", "plan-of-etc"))
      assert.deepStrictEqual(yield* find("plan"), [200, ["plans", "notes/plan.md", "plans/a.md"]])
      assert.deepStrictEqual(yield* find("plan", "&limit=1"), [200, ["plans"]])
      assert.deepStrictEqual(yield* find("passwd"), [200, []])
    }).pipe(Effect.scoped)
  )

  it.effect("knows each agent's own files, and says so when there's no such agent or gateway", () =>
    Effect.gen(function* () {
      const { find, put } = yield* makeWorkspace()
      put("mine.md")
      put("its.md", "workspace-helper")
      assert.deepStrictEqual(yield* find("md"), [200, ["mine.md"]])
      assert.deepStrictEqual(yield* find("md", "&agent=helper"), [200, ["its.md"]])
      assert.strictEqual((yield* find("md", "&agent=nobody"))[0], 404)
      assert.strictEqual((yield* find("md", "&gateway=nowhere"))[0], 404)
    }).pipe(Effect.scoped)
  )

  it.live("finds a file as soon as it's known to have changed, and others a moment later", () =>
    Effect.gen(function* () {
      const { find, put, send } = yield* makeWorkspace()
      put("one.md")
      assert.deepStrictEqual(yield* find("md"), [200, ["one.md"]])
      yield* send("POST", "/api/files/write", { path: "two.md", content: "", mtime: 0 })
      const found = yield* Effect.repeat(find("md"), {
        schedule: Schedule.spaced("50 millis"),
        until: ([, paths]) => paths?.length === 2
      })
      assert.deepStrictEqual(found, [200, ["one.md", "two.md"]])
    }).pipe(Effect.scoped)
  )

  it.effect("takes any words, but no damaged ones", () =>
    Effect.gen(function* () {
      const { find, put, send } = yield* makeWorkspace()
      put("one.md")
      for (const query of ["../", "\0", "__proto__", "\u202E", "C:\\", "%2e%2e", "x".repeat(500)])
        assert.deepStrictEqual(yield* find(query), [200, []], query)
      assert.strictEqual((yield* find("x".repeat(10_000)))[0], 400)
      assert.strictEqual((yield* send("GET", "/api/files/find")).status, 400)
      assert.strictEqual((yield* find("md", "&limit=1000"))[0], 400)
      assert.strictEqual((yield* find("md", "&agent=..%2f"))[0], 400)
    }).pipe(Effect.scoped)
  )
})
