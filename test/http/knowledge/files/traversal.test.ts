import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { helperIn } from "../../../support/helperApp.ts"
import { makeKnowledgeApp } from "../../../support/knowledgeApp.ts"
import { TRAVERSAL_SPELLINGS } from "../../../support/traversalSpellings.ts"

const SECRET = "the-key-nobody-may-read"

/** Everything below a folder: names, kinds and contents; links are not followed. */
const snapshot = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true })
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return [path, ...snapshot(path)]
      return entry.isFile() ? [`${path} ${readFileSync(path, "utf8")}`] : [path]
    })

const form = (fields: Readonly<Record<string, string>>, name: string) => {
  const body = new FormData()
  for (const [field, value] of Object.entries(fields)) body.set(field, value)
  body.set("file", new Blob(["uploaded"]), name)
  return body
}

const encoded = (spelling: string) => encodeURIComponent(spelling.toWellFormed())
const post = (path: string, body: unknown) => [path, { method: "POST", body: JSON.stringify(body) }] as const
const get = (path: string, query: string) => [`${path}?path=${encoded(query)}`, {}] as const

/** Every route that takes a path, with the spelling in each position of a path. */
const ROUTES = {
  tree: (spelling: string) => get("/api/files/tree", spelling),
  read: (spelling: string) => get("/api/files/read", spelling),
  download: (spelling: string) => get("/api/files/download", spelling),
  image: (spelling: string) => get("/api/files", spelling),
  write: (spelling: string) => post("/api/files/write", { path: spelling, content: "written", mtime: 0 }),
  mkdir: (spelling: string) => post("/api/files/mkdir", { path: `${spelling}/made` }),
  rename: (spelling: string) => post("/api/files/rename", { path: `${spelling}/key.txt`, name: "stolen" }),
  "rename to": (spelling: string) => post("/api/files/rename", { path: "inside/note.md", name: `${spelling}/x` }),
  move: (spelling: string) => post("/api/files/move", { path: `${spelling}/key.txt`, to: "stolen" }),
  "move to": (spelling: string) => post("/api/files/move", { path: "inside/note.md", to: `${spelling}/x` }),
  delete: (spelling: string) => post("/api/files/delete", { path: `${spelling}/key.txt` }),
  restore: (spelling: string) => post("/api/files/restore", { undo: spelling }),
  document: (spelling: string) => [`/api/workspace/${encoded(spelling)}`, {}] as const,
  "document written": (spelling: string) =>
    [`/api/workspace/${encoded(spelling)}`, { method: "PUT", body: JSON.stringify({ content: "written" }) }] as const,
  "memory's day": (spelling: string) => [`/api/memories/section?title=x&date=${encoded(spelling)}`, {}] as const,
  "memory's day written": (spelling: string) =>
    [
      "/api/memories/section",
      { method: "PUT", body: JSON.stringify({ title: "x", content: "written", date: spelling }) }
    ] as const,
  "memory's day removed": (spelling: string) =>
    [
      "/api/memories",
      { method: "DELETE", body: JSON.stringify({ query: "x", type: "daily", date: spelling }) }
    ] as const,
  "working directory": (spelling: string) => post("/api/git-info/workdir", { sessionKey: "s", workdir: spelling }),
  upload: (spelling: string) => ["/api/files/upload", { method: "POST", body: form({ path: spelling }, "x") }] as const
}

describe("traversal", () => {
  it("has a corpus worth the name", () => {
    assert.isAtLeast(new Set(TRAVERSAL_SPELLINGS).size, 60)
  })

  for (const [name, route] of Object.entries(ROUTES)) {
    for (const agent of [undefined, "helper"]) {
      it.effect(`${name}: no spelling leads out of the root${agent === undefined ? "" : " of another agent"}`, () =>
        Effect.gen(function* () {
          const app = yield* makeKnowledgeApp({ agents: helperIn })
          const home = app.settings.gatewayHome
          const workspace = join(home, agent === undefined ? "workspace" : `workspace-${agent}`)
          mkdirSync(join(workspace, "inside"), { recursive: true })
          mkdirSync(join(home, "secret"))
          writeFileSync(join(home, "secret", "key.txt"), SECRET)
          writeFileSync(join(workspace, "inside", "note.md"), "a note")
          symlinkSync(join(home, "secret"), join(workspace, "outside"))
          symlinkSync("../..", join(workspace, "inside", "up"))
          symlinkSync("/etc", join(workspace, "absolute"))
          const before = snapshot(home)
          for (const [index, spelling] of TRAVERSAL_SPELLINGS.entries()) {
            const [path, init] = route(spelling)
            const at = agent === undefined ? path : `${path}${path.includes("?") ? "&" : "?"}agent=${agent}`
            const response = yield* app.request(at, { ...init, peer: `10.0.0.${index + 1}` })
            const text = yield* Effect.promise(() => response.text())
            const label = `${name} ${JSON.stringify(spelling).slice(0, 60)}: ${response.status} ${text.slice(0, 100)}`
            assert.include([400, 403, 404, 413], response.status, label)
            assert.notInclude(text, "unknown_agent", label)
            assert.notInclude(text, SECRET, label)
            assert.notInclude(text, home, label)
            assert.notInclude(text, "root:", label)
          }
          assert.deepStrictEqual(snapshot(home), before)
        })
      )
    }
  }

  it.effect("upload: no file name leads out of the folder", () =>
    Effect.gen(function* () {
      const app = yield* makeKnowledgeApp()
      const home = app.settings.gatewayHome
      mkdirSync(join(home, "workspace"), { recursive: true })
      const isPlainName = (spelling: string) => !/[/\\]/.test(spelling)
      for (const [index, spelling] of TRAVERSAL_SPELLINGS.entries()) {
        const body = form({}, spelling)
        const response = yield* app.request("/api/files/upload", { method: "POST", body, peer: `10.0.0.${index + 1}` })
        const text = yield* Effect.promise(() => response.text())
        if (!isPlainName(spelling)) assert.strictEqual(response.status, 400, `${JSON.stringify(spelling)} ${text}`)
      }
      assert.deepStrictEqual(readdirSync(home), ["workspace"])
    })
  )
})
