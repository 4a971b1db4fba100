import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { makeApp } from "../../../support/makeApp.ts"

const SCRIPT = "console.log(1);".repeat(200)

const makeWeb = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const root = yield* fs.makeTempDirectoryScoped()
  const webRoot = `${root}/web`
  yield* fs.makeDirectory(`${webRoot}/assets`, { recursive: true })
  yield* fs.writeFileString(`${root}/secret.txt`, "secret")
  yield* fs.writeFileString(`${webRoot}/index.html`, "<!doctype html><title>Agent Console</title>")
  yield* fs.writeFileString(`${webRoot}/icon.png`, "png")
  yield* fs.writeFileString(`${webRoot}/.hidden`, "hidden")
  yield* fs.writeFileString(`${webRoot}/assets/app-1a2b.js`, SCRIPT)
  yield* fs.writeFileString(`${webRoot}/assets/app-1a2b.js.br`, "as br")
  yield* fs.writeFileString(`${webRoot}/assets/app-1a2b.js.gz`, "as gzip")
  const app = yield* makeApp({ settings: { webRoot } })
  return { app, fs, webRoot }
})

const text = (response: Response) => Effect.promise(() => response.text())

it.layer(NodeServices.layer)((it) => {
  it.effect("a hashed asset is cached for ever and comes in the coding the client takes", () =>
    Effect.gen(function* () {
      const { app } = yield* makeWeb
      const cases = [
        ["gzip, br", "br", "as br"],
        ["gzip", "gzip", "as gzip"],
        ["identity", null, SCRIPT]
      ] as const
      const etags = new Set<string | null>()
      for (const [accepted, coding, body] of cases) {
        const response = yield* app.request("/assets/app-1a2b.js", { headers: { "accept-encoding": accepted } })
        assert.strictEqual(response.status, 200)
        assert.strictEqual(response.headers.get("cache-control"), "public, max-age=31536000, immutable")
        assert.strictEqual(response.headers.get("content-encoding"), coding)
        assert.strictEqual(response.headers.get("content-type"), "text/javascript; charset=utf-8")
        assert.strictEqual(response.headers.get("vary"), "Accept-Encoding")
        assert.strictEqual(response.headers.get("x-content-type-options"), "nosniff")
        assert.strictEqual(yield* text(response), body)
        etags.add(response.headers.get("etag"))
      }
      assert.strictEqual(etags.size, 3)
    })
  )

  it.effect("the index answers every path that is no file, and is checked anew each time", () =>
    Effect.gen(function* () {
      const { app } = yield* makeWeb
      for (const path of [
        "/",
        "/index.html",
        "/board",
        "/sessions/a%20b?x=1",
        "/.hidden",
        "/../secret.txt",
        "/%2e%2e/secret.txt"
      ]) {
        const response = yield* app.request(path)
        assert.strictEqual(response.status, 200, path)
        assert.include(yield* text(response), "<title>Agent Console</title>", path)
        assert.strictEqual(response.headers.get("cache-control"), "public, max-age=0, must-revalidate")
        assert.strictEqual(response.headers.get("content-type"), "text/html; charset=utf-8")
      }
      const icon = yield* app.request("/icon.png")
      assert.strictEqual(icon.headers.get("content-type"), "image/png")
      assert.strictEqual(icon.headers.get("cache-control"), "public, max-age=0, must-revalidate")
    })
  )

  it.effect("people get the index at every other address, and programs a 404 that they can read", () =>
    Effect.gen(function* () {
      const { app, fs, webRoot } = yield* makeWeb
      yield* fs.makeDirectory(`${webRoot}/languages`)
      yield* fs.writeFileString(`${webRoot}/languages/de.js`, "texts()")
      const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
      const isMissing = Effect.fnUntraced(function* (path: string, accept?: string, method = "GET") {
        const response = yield* app.request(path, { method, headers: accept === undefined ? {} : { accept } })
        const what = `${method} ${path} ${accept}`
        assert.strictEqual(response.status, 404, what)
        assert.match(response.headers.get("content-type") ?? "", /^application\/json/, what)
        if (method !== "HEAD") assert.strictEqual(yield* text(response), '{"error":"not_found"}', what)
      })
      for (const path of [
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/mcp",
        "/.well-known/oauth-authorization-server",
        "/.well-known/openid-configuration",
        "/.well-known/",
        "/%2ewell-known/x",
        "/languages/xx.json",
        "/languages/xx.js",
        "/languages/"
      ]) {
        for (const accept of [undefined, "*/*", "application/json", BROWSER]) yield* isMissing(path, accept)
        for (const method of ["HEAD", "POST", "PUT", "PATCH", "DELETE"]) yield* isMissing(path, "*/*", method)
      }
      for (const path of ["/.well-known", "/languages", "/mcp/", "/mcp/.well-known/oauth-protected-resource"])
        for (const accept of [undefined, "*/*", BROWSER]) yield* isMissing(path, accept)
      for (const path of ["/authorize", "/authorize?client_id=x", "/token", "/sse", "/oauth/authorize", "/robots.txt"])
        for (const accept of ["*/*", "application/json", "text/event-stream", "application/json, text/event-stream"])
          yield* isMissing(path, accept)
      for (const accept of ["application/json", "text/event-stream", "image/png", "text/plain"])
        yield* isMissing("/anything", accept)
      for (const [path, accept] of [
        ["/authorize", BROWSER],
        ["/robots.txt", BROWSER],
        ["/anything", "*/*"],
        ["/anything/else", undefined],
        ["/", "application/json"],
        ["/board", "application/json"],
        ["/chat/agent%3Amain%3Av1.2", "*/*"]
      ] as const) {
        const page = yield* app.request(path, { headers: accept === undefined ? {} : { accept } })
        assert.include(yield* text(page), "<title>Agent Console</title>", `${path} ${accept}`)
      }
      const texts = yield* app.request("/languages/de.js", { headers: { accept: "*/*" } })
      assert.strictEqual(yield* text(texts), "texts()")
      assert.strictEqual(texts.headers.get("content-type"), "text/javascript; charset=utf-8")
    })
  )

  it.effect("programs that look for a sign-in of another kind aren't sent to this one", () =>
    Effect.gen(function* () {
      const app = yield* makeApp({ settings: { authEnabled: true } })
      for (const method of ["GET", "POST", "PUT", "DELETE"]) {
        const answer = yield* app.request("/.well-known/oauth-protected-resource", { method, peer: "8.8.8.8" })
        assert.strictEqual(answer.status, 404, method)
        yield* text(answer)
      }
    })
  )

  it.effect("If-None-Match gets 304 with the same tag and caching, HEAD no body", () =>
    Effect.gen(function* () {
      const { app } = yield* makeWeb
      for (const path of ["/", "/assets/app-1a2b.js"]) {
        const first = yield* app.request(path)
        const etag = first.headers.get("etag") ?? ""
        const again = yield* app.request(path, { headers: { "if-none-match": `"other", ${etag}` } })
        assert.strictEqual(again.status, 304)
        assert.strictEqual(again.headers.get("etag"), etag)
        assert.strictEqual(again.headers.get("cache-control"), first.headers.get("cache-control"))
        const head = yield* app.request(path, { method: "HEAD" })
        assert.strictEqual(head.status, 200)
        assert.strictEqual(head.headers.get("content-length"), first.headers.get("content-length"))
        assert.strictEqual(yield* text(head), "")
      }
    })
  )

  it.effect("unknown assets are 404, compressed twins and climbing paths too, and only GET and HEAD are served", () =>
    Effect.gen(function* () {
      const { app } = yield* makeWeb
      for (const path of [
        "/assets/none.js",
        "/assets/",
        "/assets/app-1a2b.js.br",
        "/assets/..%2findex.html",
        "/assets/%00"
      ]) {
        const response = yield* app.request(path)
        assert.strictEqual(response.status, 404, path)
        assert.deepStrictEqual(yield* app.json(response), { error: "not_found" })
      }
      const post = yield* app.request("/board", { method: "POST" })
      assert.strictEqual(post.status, 405)
      assert.strictEqual(post.headers.get("allow"), "GET, HEAD, OPTIONS")
    })
  )

  it.effect("a new build is served without a restart", () =>
    Effect.gen(function* () {
      const { app, fs, webRoot } = yield* makeWeb
      const before = yield* app.request("/")
      yield* fs.writeFileString(`${webRoot}/index.html`, "<!doctype html><title>Newer</title>")
      const after = yield* app.request("/")
      assert.include(yield* text(after), "Newer")
      assert.notStrictEqual(after.headers.get("etag"), before.headers.get("etag"))
    })
  )

  it.effect("without a build the answer says how to make one", () =>
    Effect.gen(function* () {
      const app = yield* makeApp()
      const response = yield* app.request("/board")
      assert.strictEqual(response.status, 503)
      assert.include(yield* text(response), "npm run build")
    })
  )
})
