import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schedule, Schema } from "effect"
import { temporaryFolder } from "../../../support/fileServices.ts"
import { makeKnowledgeApp } from "../../../support/knowledgeApp.ts"
import { makeApp } from "../../../support/makeApp.ts"

const makeWorkspace = Effect.fnUntraced(function* () {
  const app = yield* makeKnowledgeApp()
  const workspace = join(app.settings.gatewayHome, "workspace")
  mkdirSync(workspace, { recursive: true })
  const put = (name: string, content: string | Uint8Array) => {
    mkdirSync(join(workspace, name, ".."), { recursive: true })
    writeFileSync(join(workspace, name), content)
  }
  const read = (path: string) => app.send("GET", `/api/files/read?path=${encodeURIComponent(path)}`)
  const post = (action: string, body: unknown) => app.send("POST", `/api/files/${action}`, body)
  return { ...app, workspace, put, read, post }
})

describe("tree", () => {
  it.effect("shows folders first, without dependencies, versions, build results and what is no file", () =>
    Effect.gen(function* () {
      const app = yield* makeWorkspace()
      for (const name of ["b.md", "A.md", "node_modules/x/index.js", ".git/HEAD", "dist/a.js", "src/deep/er/x.ts"]) {
        app.put(name, "")
      }
      app.put("build", "a file of that name")
      symlinkSync("src", join(app.workspace, "linked"))
      symlinkSync("/etc", join(app.workspace, "outside"))
      symlinkSync("nowhere", join(app.workspace, "broken"))
      const tree = yield* app.send("GET", "/api/files/tree")
      assert.strictEqual(tree.status, 200)
      const file = (name: string, path = name) => ({ name, path, type: "file" })
      const folder = (name: string, path: string, children?: unknown) => ({
        name,
        path,
        type: "directory",
        ...(children === undefined ? {} : { children })
      })
      const deep = folder("deep", "src/deep", [folder("er", "src/deep/er", [file("x.ts", "src/deep/er/x.ts")])])
      assert.deepStrictEqual(tree.body, [
        folder("linked", "linked"),
        folder("src", "src", [deep]),
        file("A.md"),
        file("b.md"),
        file("build")
      ])
      assert.deepStrictEqual((yield* app.send("GET", "/api/files/tree?path=src&depth=1")).body, [
        folder("deep", "src/deep")
      ])
      assert.deepStrictEqual((yield* app.send("GET", "/api/files/tree?path=linked/deep/er")).body, [
        file("x.ts", "linked/deep/er/x.ts")
      ])
    })
  )

  it.effect("refuses damaged depths, files and folders that are not there", () =>
    Effect.gen(function* () {
      const app = yield* makeKnowledgeApp()
      mkdirSync(join(app.settings.gatewayHome, "workspace"), { recursive: true })
      writeFileSync(join(app.settings.gatewayHome, "workspace", "a.md"), "")
      for (const depth of ["0", "-1", "1.5", "65", "x", ""]) {
        assert.strictEqual((yield* app.send("GET", `/api/files/tree?depth=${depth}`)).status, 400, depth)
      }
      assert.strictEqual((yield* app.send("GET", "/api/files/tree?path=none")).status, 404)
      assert.strictEqual((yield* app.send("GET", "/api/files/tree?path=a.md")).status, 404)
    })
  )
})

describe("read and write", () => {
  it.effect("keeps every byte of a text, and hands out its time", () =>
    Effect.gen(function* () {
      const app = yield* makeWorkspace()
      const content = "\ufeffone\r\ntwo\n\n  é 🦀\tno newline at the end"
      app.put("notes/a.md", content)
      utimesSync(join(app.workspace, "notes/a.md"), 1_700_000_000, 1_700_000_000.123)
      const found = yield* app.read("notes/a.md")
      assert.deepStrictEqual(found.body, { content, mtime: 1_700_000_000_123 })
      const saved = yield* app.post("write", { path: "notes/a.md", content: `${content}!`, mtime: found.body.mtime })
      assert.strictEqual(saved.status, 200)
      assert.strictEqual(saved.body.ok, true)
      assert.strictEqual(readFileSync(join(app.workspace, "notes/a.md"), "utf8"), `${content}!`)
      assert.strictEqual((yield* app.read("notes/a.md")).body.mtime, saved.body.mtime)
    })
  )

  it.effect("answers 409 to a stale time, to a file that is gone and to a new file that is there already", () =>
    Effect.gen(function* () {
      const app = yield* makeWorkspace()
      const made = yield* app.post("write", { path: "a.md", content: "1", mtime: 0 })
      assert.strictEqual(made.status, 200)
      const again = yield* app.post("write", { path: "a.md", content: "2", mtime: 0 })
      assert.strictEqual(again.status, 409)
      assert.deepStrictEqual(again.body, {
        error: "conflict",
        details: "the file has changed since you opened it: reload it, then save"
      })
      const next = yield* app.post("write", { path: "a.md", content: "2", mtime: made.body.mtime })
      assert.isAbove(next.body.mtime, made.body.mtime)
      const stale = yield* app.post("write", { path: "a.md", content: "3", mtime: made.body.mtime })
      assert.strictEqual(stale.status, 409)
      assert.strictEqual((yield* app.post("write", { path: "b.md", content: "", mtime: 5 })).status, 409)
      assert.strictEqual(readFileSync(join(app.workspace, "a.md"), "utf8"), "2")
      assert.isFalse(existsSync(join(app.workspace, "b.md")))
    })
  )

  it.effect("answers 400 to binary files and missing fields, 404 to what is not there, 413 to 2 MB and a byte", () =>
    Effect.gen(function* () {
      const app = yield* makeWorkspace()
      app.put("nul.bin", "text\0text")
      app.put("late-nul.txt", `${"a".repeat(9000)}\0`)
      app.put("latin1.txt", new Uint8Array([0x63, 0x61, 0x66, 0xe9]))
      app.put("big.txt", "a".repeat(2 * 1024 * 1024 + 1))
      const statuses: Record<string, number> = {}
      for (const path of ["nul.bin", "latin1.txt", "late-nul.txt", "big.txt", "none.txt", "none/none.txt"]) {
        statuses[path] = (yield* app.read(path)).status
      }
      assert.deepStrictEqual(statuses, {
        "nul.bin": 400,
        "latin1.txt": 400,
        "late-nul.txt": 200,
        "big.txt": 413,
        "none.txt": 404,
        "none/none.txt": 404
      })
      assert.strictEqual((yield* app.send("GET", "/api/files/read")).status, 400)
      assert.strictEqual((yield* app.read("")).status, 400)
      for (const body of [
        {},
        { path: "a" },
        { path: "a", content: "" },
        { path: "a", content: 1, mtime: 0 },
        [],
        "x"
      ]) {
        assert.strictEqual((yield* app.post("write", body)).status, 400, JSON.stringify(body))
      }
      for (const mtime of [-1, 1.5, "0", null]) {
        assert.strictEqual((yield* app.post("write", { path: "a", content: "", mtime })).status, 400, String(mtime))
      }
      assert.strictEqual((yield* app.post("write", { path: "none/a.md", content: "", mtime: 0 })).status, 404)
      const large = "a".repeat(2 * 1024 * 1024)
      assert.strictEqual((yield* app.post("write", { path: "fits", content: large, mtime: 0 })).status, 200)
      assert.strictEqual((yield* app.post("write", { path: "large", content: `${large}a`, mtime: 0 })).status, 413)
    })
  )

  it.effect("takes any name a disk takes: newlines, emoji, 255 bytes", () =>
    Effect.gen(function* () {
      const app = yield* makeWorkspace()
      for (const path of [
        "two\nlines.md",
        "🦀 crab.md",
        `${"é".repeat(127)}x`,
        "100%25 sure.md",
        "a..b",
        "...",
        "-rf",
        " "
      ]) {
        assert.strictEqual((yield* app.post("write", { path, content: path, mtime: 0 })).status, 200, path)
        assert.strictEqual((yield* app.read(path)).body.content, path)
      }
      const names = (yield* app.send("GET", "/api/files/tree")).body.map((node: { name: string }) => node.name)
      assert.includeMembers(names, ["two\nlines.md", "🦀 crab.md", `${"é".repeat(127)}x`, "..."])
    })
  )

  it.effect("writes through a link inside the root and leaves the link", () =>
    Effect.gen(function* () {
      const app = yield* makeWorkspace()
      app.put("real/a.md", "old")
      symlinkSync("real/a.md", join(app.workspace, "link.md"))
      const { mtime } = (yield* app.read("link.md")).body
      assert.strictEqual((yield* app.post("write", { path: "link.md", content: "new", mtime })).status, 200)
      assert.strictEqual(readFileSync(join(app.workspace, "real/a.md"), "utf8"), "new")
      assert.strictEqual((yield* app.read("link.md")).body.content, "new")
    })
  )
})

describe("folders, names and places", () => {
  it.effect("makes folders, renames and moves, and never replaces", () =>
    Effect.gen(function* () {
      const app = yield* makeWorkspace()
      app.put("a.md", "a")
      app.put("b.md", "b")
      assert.deepStrictEqual(yield* app.post("mkdir", { path: "notes" }), {
        status: 200,
        body: { ok: true, path: "notes" }
      })
      assert.strictEqual((yield* app.post("mkdir", { path: "notes" })).status, 409)
      assert.strictEqual((yield* app.post("mkdir", { path: "no/notes" })).status, 404)
      assert.strictEqual((yield* app.post("move", { path: "a.md", to: "notes/a.md" })).status, 200)
      assert.strictEqual((yield* app.post("move", { path: "b.md", to: "notes/a.md" })).status, 409)
      assert.strictEqual((yield* app.post("move", { path: "notes", to: "notes/inner" })).status, 400)
      assert.strictEqual((yield* app.post("move", { path: "none", to: "x" })).status, 404)
      assert.deepStrictEqual((yield* app.post("rename", { path: "notes/a.md", name: "c.md" })).body, {
        ok: true,
        path: "notes/c.md"
      })
      assert.strictEqual((yield* app.post("rename", { path: "notes", name: "b.md" })).status, 409)
      assert.strictEqual((yield* app.post("rename", { path: "notes", name: "papers" })).status, 200)
      assert.strictEqual(readFileSync(join(app.workspace, "papers/c.md"), "utf8"), "a")
      assert.strictEqual(readFileSync(join(app.workspace, "b.md"), "utf8"), "b")
    })
  )

  it.effect("deletes into the trash, which the tree does not show, and undoes it", () =>
    Effect.gen(function* () {
      const app = yield* makeWorkspace()
      app.put("notes/a.md", "a")
      const gone = yield* app.post("delete", { path: "notes" })
      assert.strictEqual(gone.status, 200)
      assert.deepStrictEqual((yield* app.send("GET", "/api/files/tree")).body, [])
      assert.strictEqual((yield* app.read(".trash/x")).status, 404)
      assert.strictEqual((yield* app.post("delete", { path: ".trash" })).status, 404)
      app.put("notes/b.md", "b")
      const undo = { undo: gone.body.undo }
      assert.strictEqual((yield* app.post("restore", undo)).status, 409)
      assert.strictEqual((yield* app.post("rename", { path: "notes", name: "other" })).status, 200)
      assert.deepStrictEqual((yield* app.post("restore", undo)).body, { ok: true, path: "notes" })
      assert.strictEqual(readFileSync(join(app.workspace, "notes/a.md"), "utf8"), "a")
      assert.strictEqual((yield* app.post("restore", undo)).status, 404)
      assert.strictEqual((yield* app.post("delete", { path: "none" })).status, 404)
      assert.strictEqual((yield* app.post("delete", { path: "" })).status, 400)
    })
  )

  it.effect("deletes a link, not what it leads to", () =>
    Effect.gen(function* () {
      const app = yield* makeWorkspace()
      app.put("real.md", "kept")
      symlinkSync("real.md", join(app.workspace, "link.md"))
      assert.strictEqual((yield* app.post("delete", { path: "link.md" })).status, 200)
      assert.strictEqual(readFileSync(join(app.workspace, "real.md"), "utf8"), "kept")
      assert.isFalse(existsSync(join(app.workspace, "link.md")))
    })
  )

  it.effect("with FILE_BROWSER_ROOT: another root, nothing left out, deletes for good", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      mkdirSync(join(folder, "node_modules"))
      writeFileSync(join(folder, "a.md"), "a")
      const app = yield* makeApp({ settings: { fileBrowserRoot: folder } })
      const decodeNames = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ name: Schema.String })))
      const tree = yield* decodeNames(yield* app.json(yield* app.request("/api/files/tree")))
      assert.deepStrictEqual(tree, [{ name: "node_modules" }, { name: "a.md" }])
      const body = JSON.stringify({ path: "a.md" })
      const gone = yield* app.json(yield* app.request("/api/files/delete", { method: "POST", body }))
      assert.deepStrictEqual(gone, { ok: true, path: "a.md", undo: null })
      assert.isFalse(existsSync(join(folder, "a.md")))
      assert.isFalse(existsSync(join(folder, ".trash")))
      const trash = yield* app.json(yield* app.request("/api/files/trash"))
      assert.deepStrictEqual(trash, { ok: true, isPermanent: true, entries: [] })
    })
  )
})

/** What a descriptor of this process leads to. */
const leadsTo = (fd: string): string =>
  Result.getOrElse(
    Result.try(() => readlinkSync(`/proc/self/fd/${fd}`)),
    () => ""
  )

describe("upload and download", () => {
  const form = (name: string, bytes: Uint8Array<ArrayBuffer>, path?: string) => {
    const body = new FormData()
    if (path !== undefined) body.set("path", path)
    body.set("file", new Blob([bytes]), name)
    return body
  }

  it.effect("takes any bytes and gives them back, whole and in ranges", () =>
    Effect.gen(function* () {
      const app = yield* makeWorkspace()
      mkdirSync(join(app.workspace, "in"))
      const bytes = new Uint8Array(200_000).map((_, index) => index % 251)
      const sent = () => ({ method: "POST", body: form("données 🦀.bin", bytes, "in") })
      const made = yield* app.request("/api/files/upload", sent())
      assert.strictEqual(made.status, 200)
      const path = "in/données 🦀.bin"
      const mtime = statSync(join(app.workspace, path)).mtimeMs
      assert.deepStrictEqual(yield* app.json(made), { ok: true, path, mtime: Math.trunc(mtime) })
      assert.strictEqual((yield* app.request("/api/files/upload", sent())).status, 409)
      const download = (query: string) => app.request(`/api/files/download?path=${encodeURIComponent(path)}${query}`)
      const viewed = yield* download("&view=pdf")
      assert.deepStrictEqual(
        ["content-type", "content-disposition", "x-content-type-options"].map((name) => viewed.headers.get(name)),
        ["application/pdf", "inline", "nosniff"]
      )
      assert.strictEqual((yield* download("&view=html")).status, 400)
      const url = `/api/files/download?path=${encodeURIComponent(path)}`
      const get = Effect.fnUntraced(function* (headers: Record<string, string>) {
        const response = yield* app.request(url, { headers })
        const body = new Uint8Array(yield* Effect.promise(() => response.arrayBuffer()))
        return { status: response.status, headers: response.headers, body }
      })
      const whole = yield* get({ "accept-encoding": "gzip, br" })
      assert.strictEqual(whole.status, 200)
      assert.deepStrictEqual(whole.body, bytes)
      assert.isNull(whole.headers.get("content-encoding"))
      assert.strictEqual(
        whole.headers.get("content-disposition"),
        "attachment; filename=\"donn_es __.bin\"; filename*=UTF-8''donn%C3%A9es%20%F0%9F%A6%80.bin"
      )
      const part = yield* get({ range: "bytes=70000-140000" })
      assert.strictEqual(part.status, 206)
      assert.strictEqual(part.headers.get("content-range"), "bytes 70000-140000/200000")
      assert.deepStrictEqual(part.body, bytes.slice(70_000, 140_001))
      assert.deepStrictEqual((yield* get({ range: "bytes=-5" })).body, bytes.slice(-5))
      assert.strictEqual((yield* get({ range: "bytes=200000-" })).status, 416)
      assert.strictEqual((yield* get({ range: "bytes=0-1,5-6" })).status, 200)
      assert.strictEqual((yield* get({ range: "bytes=0-1", "if-range": '"another"' })).status, 200)
      const etag = whole.headers.get("etag") ?? ""
      assert.strictEqual((yield* get({ range: "bytes=0-1", "if-range": etag })).status, 206)
      assert.strictEqual((yield* get({ "if-none-match": etag })).status, 304)
    })
  )

  it.effect.runIf(existsSync("/proc/self/fd"))(
    "leaves no descriptor open, whether the bytes are taken or not (needs /proc)",
    () =>
      Effect.gen(function* () {
        const app = yield* makeWorkspace()
        app.put("a.md", "a".repeat(300_000))
        app.put("notes/b.md", "b")
        const round = Effect.fnUntraced(function* (headers: Record<string, string>) {
          const response = yield* app.request("/api/files/download?path=a.md", { headers })
          yield* headers.leave === undefined
            ? Effect.promise(() => response.arrayBuffer())
            : Effect.promise(() => response.body?.cancel() ?? Promise.resolve())
          return response.headers.get("etag") ?? ""
        })
        const all = Effect.fnUntraced(function* (times: number) {
          const etag = yield* round({})
          yield* round({ "if-none-match": etag })
          yield* round({ range: "bytes=9999999-" })
          yield* round({ leave: "early" })
          yield* app.read("a.md")
          yield* app.read("none.md")
          yield* app.send("GET", "/api/files/tree")
          yield* app.post("write", { path: "a.md", content: "", mtime: 1 })
          yield* app.post("write", { path: `new-${times}.md`, content: "", mtime: 0 })
          yield* app.post("move", { path: "notes/b.md", to: "notes/b.md" })
          const { undo } = (yield* app.post("delete", { path: "notes" })).body
          const { body: trash } = yield* app.send("GET", "/api/files/trash")
          assert.deepStrictEqual([trash.isPermanent, trash.entries[0].undo], [false, undo])
          yield* app.post("restore", { undo })
          yield* app.request("/api/files/upload", { method: "POST", body: form(`up-${times}`, new Uint8Array(1)) })
        })
        const isOpen = () => readdirSync("/proc/self/fd").filter((fd) => leadsTo(fd).startsWith(app.workspace)).length
        for (let times = 0; times < 5; times += 1) yield* all(times)
        yield* Effect.repeat(Effect.sync(isOpen), {
          until: (open) => open === 0,
          schedule: Schedule.spaced("5 millis")
        })
      })
  )

  it.effect("refuses more than 12 MB, two files and no file", () =>
    Effect.gen(function* () {
      const app = yield* makeWorkspace()
      const send = (body: FormData) => app.request("/api/files/upload", { method: "POST", body })
      assert.strictEqual((yield* send(form("big", new Uint8Array(12 * 1024 * 1024 + 1)))).status, 413)
      const two = form("a", new Uint8Array(1))
      two.append("file", new Blob(["b"]), "b")
      assert.strictEqual((yield* send(two)).status, 400)
      assert.strictEqual((yield* send(new FormData())).status, 400)
      assert.deepStrictEqual(yield* app.post("upload", { path: "" }), {
        status: 415,
        body: { error: "unsupported_media_type", details: "the body must be a multipart form" }
      })
      assert.deepStrictEqual((yield* app.send("GET", "/api/files/tree")).body, [])
    })
  )
})
