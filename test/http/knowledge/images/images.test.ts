import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { basename, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryFolder } from "../../../support/fileServices.ts"
import { makeKnowledgeApp } from "../../../support/knowledgeApp.ts"
import { makeApp } from "../../../support/makeApp.ts"

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)

/** A folder that no image may come from: outside of the temporary folder. */
const outsideFolder = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = join(homedir(), `.agent-console-test-${process.pid}-${Math.random().toString(36).slice(2)}`)
    mkdirSync(folder)
    return folder
  }),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const makeImages = Effect.fnUntraced(function* () {
  const folder = yield* temporaryFolder
  const home = yield* outsideFolder
  const app = yield* makeApp({ settings: { gatewayHome: join(home, "gateway"), memoryDir: join(home, "memory") } })
  mkdirSync(app.settings.gatewayHome)
  mkdirSync(join(home, "gateway-other"))
  const get = (path: string, headers: Record<string, string> = {}) =>
    app.request(`/api/files?path=${encodeURIComponent(path)}`, { headers })
  return { ...app, folder, home, get }
})

describe("images", () => {
  it.effect("serves images with type, an hour of caching, ETag and 304", () =>
    Effect.gen(function* () {
      const app = yield* makeImages()
      const path = join(app.folder, "a b.PNG")
      writeFileSync(path, PIXEL)
      const found = yield* app.get(path)
      assert.strictEqual(found.status, 200)
      assert.strictEqual(found.headers.get("content-type"), "image/png")
      assert.include(found.headers.get("cache-control") ?? "", "max-age=3600")
      assert.strictEqual(found.headers.get("x-content-type-options"), "nosniff")
      assert.deepStrictEqual(Buffer.from(yield* Effect.promise(() => found.arrayBuffer())), PIXEL)
      const etag = found.headers.get("etag") ?? ""
      const again = yield* app.get(path, { "if-none-match": etag })
      assert.strictEqual(again.status, 304)
      assert.include(again.headers.get("cache-control") ?? "", "max-age=3600")
      writeFileSync(path, Buffer.concat([PIXEL, PIXEL]))
      assert.strictEqual((yield* app.get(path, { "if-none-match": etag })).status, 200)
    })
  )

  it.effect("knows seven extensions and refuses the rest, 403", () =>
    Effect.gen(function* () {
      const app = yield* makeImages()
      const types: Record<string, string | null> = {}
      for (const extension of ["png", "jpg", "jpeg", "gif", "webp", "svg", "avif"]) {
        writeFileSync(join(app.folder, `x.${extension}`), PIXEL)
        types[extension] = (yield* app.get(join(app.folder, `x.${extension}`))).headers.get("content-type")
      }
      assert.deepStrictEqual(types, {
        png: "image/png",
        jpg: "image/jpeg",
        jpeg: "image/jpeg",
        gif: "image/gif",
        webp: "image/webp",
        svg: "image/svg+xml",
        avif: "image/avif"
      })
      for (const name of ["x.txt", "x", "x.png.txt", ".png", "x.html", "x.png/../x.txt"]) {
        writeFileSync(join(app.folder, basename(name)), "text")
        assert.strictEqual((yield* app.get(join(app.folder, name))).status, 403, name)
      }
      assert.strictEqual((yield* app.get(join(app.folder, "none.png"))).status, 404)
      mkdirSync(join(app.folder, "folder.png"))
      assert.strictEqual((yield* app.get(join(app.folder, "folder.png"))).status, 403)
      assert.strictEqual((yield* app.request("/api/files")).status, 400)
      assert.strictEqual((yield* app.get("")).status, 400)
    })
  )

  it.effect("keeps to its folders, by their names and by where links really lead", () =>
    Effect.gen(function* () {
      const app = yield* makeImages()
      const { folder, home } = app
      for (const place of [home, join(home, "gateway"), join(home, "gateway-other")]) {
        writeFileSync(join(place, "x.png"), PIXEL)
      }
      writeFileSync(join(home, "gateway", "text.txt"), "text")
      symlinkSync(join(home, "x.png"), join(folder, "out.png"))
      symlinkSync(home, join(folder, "out"))
      symlinkSync(join(home, "gateway", "x.png"), join(folder, "in.png"))
      symlinkSync(join(home, "gateway", "text.txt"), join(folder, "text.png"))
      const statuses: Record<string, number> = {}
      const short = `~/${basename(home)}`
      for (const path of [
        join(home, "gateway/x.png"),
        `${short}/gateway/x.png`,
        join(folder, "in.png"),
        join(home, "x.png"),
        `${short}/x.png`,
        join(home, "gateway-other/x.png"),
        `${home}/gateway/../x.png`,
        join(folder, "out.png"),
        join(folder, "out/x.png"),
        join(folder, "text.png"),
        "/tmp/../etc/x.png",
        "/tmpfoo/x.png",
        "x.png",
        "gateway/x.png",
        `${home}/gateway/x.png\0.png`
      ]) {
        statuses[path.replace(home, "HOME").replace(short, "~").replace(folder, "TMP")] = (yield* app.get(path)).status
      }
      assert.deepStrictEqual(statuses, {
        "HOME/gateway/x.png": 200,
        "~/gateway/x.png": 200,
        "TMP/in.png": 200,
        "HOME/x.png": 403,
        "~/x.png": 403,
        "HOME/gateway-other/x.png": 403,
        "HOME/gateway/../x.png": 403,
        "TMP/out.png": 403,
        "TMP/out/x.png": 403,
        "TMP/text.png": 403,
        "/tmp/../etc/x.png": 403,
        "/tmpfoo/x.png": 403,
        "x.png": 404,
        "gateway/x.png": 404,
        "HOME/gateway/x.png\0.png": 403
      })
    })
  )

  it.effect("finds images by their path in an agent's workspace", () =>
    Effect.gen(function* () {
      const app = yield* makeImages()
      const { home } = app
      mkdirSync(join(home, "gateway/workspace/pictures"), { recursive: true })
      writeFileSync(join(home, "gateway/workspace/pictures/x.png"), PIXEL)
      writeFileSync(join(home, "x.png"), PIXEL)
      writeFileSync(join(home, "gateway/x.png"), PIXEL)
      const ask = Effect.fnUntraced(function* (path: string, agent?: string) {
        const whose = agent === undefined ? "" : `&agent=${agent}`
        const response = yield* app.request(`/api/files?path=${encodeURIComponent(path)}${whose}`)
        yield* Effect.promise(() => response.arrayBuffer())
        return response.status
      })
      assert.strictEqual(yield* ask("pictures/x.png"), 200)
      assert.strictEqual(yield* ask("./pictures/../pictures/x.png"), 200)
      assert.strictEqual(yield* ask("pictures/x.png", "main"), 200)
      assert.strictEqual(yield* ask("pictures/x.png", "nobody"), 404)
      assert.strictEqual(yield* ask("x.png"), 404)
      // A way up ends where images end.
      assert.strictEqual(yield* ask("../x.png"), 200)
      assert.strictEqual(yield* ask("../../x.png"), 403)
      for (const agent of ["..", "a/b", "%2e%2e", "", "x".repeat(65)])
        assert.strictEqual(yield* ask("x.png", agent), 400)
      for (const path of ["http://127.0.0.1/x.png", "file:x.png", "data:image/png,x.png"])
        assert.strictEqual(yield* ask(path), 403, path)
    })
  )

  it.effect("boxes SVG in, and saves it when it is opened as a page", () =>
    Effect.gen(function* () {
      const app = yield* makeImages()
      const path = join(app.folder, "x.svg")
      writeFileSync(path, "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>")
      const shown = yield* app.get(path, { "sec-fetch-dest": "image" })
      assert.strictEqual(shown.headers.get("content-security-policy"), "sandbox")
      assert.isNull(shown.headers.get("content-disposition"))
      for (const destination of ["document", "iframe", "object", "embed", "frame"]) {
        const opened = yield* app.get(path, { "sec-fetch-dest": destination })
        assert.strictEqual(opened.headers.get("content-security-policy"), "sandbox")
        assert.include(opened.headers.get("content-disposition") ?? "", 'attachment; filename="x.svg"', destination)
      }
      writeFileSync(join(app.folder, "x.png"), PIXEL)
      const image = yield* app.get(join(app.folder, "x.png"), { "sec-fetch-dest": "document" })
      assert.isNull(image.headers.get("content-disposition"))
    })
  )

  it.effect("serves those in any agent's workspace, by where links really lead", () =>
    Effect.gen(function* () {
      const home = yield* outsideFolder
      const app = yield* makeKnowledgeApp({
        settings: () => ({ workspaceRoot: join(home, "projects") }),
        agents: () => [
          { id: "painter", workspace: join(home, "projects", "painter") },
          { id: "outside", workspace: join(home, "elsewhere") }
        ]
      })
      const status = (path: string) =>
        app.request(`/api/files?path=${encodeURIComponent(path)}`).pipe(
          Effect.tap((answer) => Effect.promise(() => answer.arrayBuffer())),
          Effect.map((answer) => answer.status)
        )
      for (const place of ["projects/painter", "projects/nobody", "elsewhere"]) {
        mkdirSync(join(home, place), { recursive: true })
        writeFileSync(join(home, place, "a.png"), PIXEL)
      }
      symlinkSync(join(home, "elsewhere", "a.png"), join(home, "projects", "painter", "link.png"))
      assert.strictEqual(yield* status(join(home, "projects/painter/a.png")), 200)
      const relative = yield* app.request("/api/files?path=a.png&agent=painter")
      assert.strictEqual(relative.status, 200)
      yield* Effect.promise(() => relative.arrayBuffer())
      for (const path of [
        "projects/nobody/a.png",
        "elsewhere/a.png",
        "projects/painter/link.png",
        "projects/painter/../nobody/a.png"
      ])
        assert.strictEqual(yield* status(join(home, path)), 403, path)
      app.agents.isReachable = false
      assert.strictEqual(yield* status(join(home, "elsewhere/a.png")), 403)
    })
  )
})
