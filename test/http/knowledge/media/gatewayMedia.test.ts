import type { ServerResponse } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Redacted } from "effect"
import { TestClock } from "effect/testing"
import type { SettingsShape } from "../../../../src/services/platform/settings/Settings.ts"
import { type FileAnswer, serveFiles } from "../../../support/fileServer.ts"
import { makeApp } from "../../../support/makeApp.ts"
import { TRAVERSAL_SPELLINGS } from "../../../support/traversalSpellings.ts"
import { worded } from "../../../support/worded.ts"

const TOKEN = "the-gateways-token"
const ID = "6af5d6b9-f7ad-4d2d-a9c7-821093e5fc54"
const PICTURE = Buffer.from("not really a picture, but who looks")
const OUTGOING = `/api/gateway/media/outgoing/${encodeURIComponent("agent:main:main")}/${ID}`

const send = (
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body: Buffer | string = ""
) => {
  response.writeHead(status, headers)
  response.end(body)
}

const picture: FileAnswer = (_, response) =>
  send(response, 200, { "content-type": "image/png", "content-length": String(PICTURE.length) }, PICTURE)

const mediaApp = Effect.fnUntraced(function* (answer: FileAnswer, settings: Partial<SettingsShape> = {}) {
  const gateway = yield* serveFiles(answer)
  const app = yield* makeApp({
    settings: { gatewayUrl: gateway.url, gatewayToken: Redacted.make(TOKEN), ...settings }
  })
  const get = (path: string, headers: Record<string, string> = {}) => app.request(path, { headers })
  return { ...app, asked: gateway.asked, get }
})

const bytesOf = (response: Response) =>
  Effect.map(
    Effect.promise(() => response.arrayBuffer()),
    (bytes) => Buffer.from(bytes)
  )

describe("pictures of conversations", () => {
  it.effect("come from the gateway with the console's token, boxed in", () =>
    Effect.gen(function* () {
      const app = yield* mediaApp((_, response) =>
        send(
          response,
          200,
          {
            "content-type": "image/PNG; charset=binary",
            "content-length": String(PICTURE.length),
            etag: '"abc"',
            "set-cookie": "gateway=1",
            "x-raw": "the gateway's own",
            "content-security-policy": "default-src *"
          },
          PICTURE
        )
      )
      const found = yield* app.get(OUTGOING, { "sec-fetch-dest": "image", cookie: "console=1" })
      assert.strictEqual(found.status, 200)
      assert.deepStrictEqual(yield* bytesOf(found), PICTURE)
      const headers = Object.fromEntries(found.headers)
      assert.strictEqual(headers["content-type"], "image/png")
      assert.strictEqual(headers["content-length"], String(PICTURE.length))
      assert.strictEqual(headers.etag, '"abc"')
      assert.strictEqual(headers["x-content-type-options"], "nosniff")
      assert.strictEqual(headers["content-security-policy"], "default-src 'none'; sandbox")
      assert.strictEqual(headers["cache-control"], "private, max-age=3600, no-transform")
      assert.isUndefined(headers["set-cookie"])
      assert.isUndefined(headers["x-raw"])
      assert.isUndefined(headers["content-disposition"])
      assert.notInclude(JSON.stringify(headers), TOKEN)
      const [asked] = app.asked
      assert.strictEqual(asked?.url, `/api/chat/media/outgoing/agent%3Amain%3Amain/${ID}/full`)
      assert.strictEqual(asked?.headers.authorization, `Bearer ${TOKEN}`)
      assert.isUndefined(asked?.headers.cookie)
      assert.isUndefined(asked?.headers.origin)
    })
  )

  it.effect("a person sent are asked for by the gateway's own name of them", () =>
    Effect.gen(function* () {
      const app = yield* mediaApp(picture)
      const found = yield* app.get("/api/gateway/media/inbound/3e112dd3%20a%26b%25.png")
      assert.deepStrictEqual(yield* bytesOf(found), PICTURE)
      const url = new URL(app.asked[0]?.url ?? "", "http://gateway")
      assert.strictEqual(url.pathname, "/__openclaw__/assistant-media")
      assert.deepStrictEqual([...url.searchParams], [["source", "media://inbound/3e112dd3%20a%26b%25.png"]])
    })
  )

  it.effect("are passed on in part, or not again, as the client asks", () =>
    Effect.gen(function* () {
      const app = yield* mediaApp(({ headers }, response) => {
        if (headers["if-none-match"] === '"abc"') return send(response, 304, { etag: '"abc"' })
        if (headers.range === "bytes=999-") return send(response, 416, { "content-range": `bytes */${PICTURE.length}` })
        if (headers.range === undefined) return send(response, 200, { "content-type": "audio/wav" }, PICTURE)
        send(
          response,
          206,
          { "content-type": "audio/wav", "content-range": `bytes 0-3/${PICTURE.length}`, "content-length": "4" },
          PICTURE.subarray(0, 4)
        )
      })
      const part = yield* app.get(OUTGOING, { range: "bytes=0-3" })
      assert.strictEqual(part.status, 206)
      assert.strictEqual(part.headers.get("content-range"), `bytes 0-3/${PICTURE.length}`)
      assert.strictEqual(part.headers.get("accept-ranges"), "bytes")
      assert.deepStrictEqual(yield* bytesOf(part), PICTURE.subarray(0, 4))
      const same = yield* app.get(OUTGOING, { "if-none-match": '"abc"' })
      assert.strictEqual(same.status, 304)
      assert.strictEqual(same.headers.get("etag"), '"abc"')
      const beyond = yield* app.get(OUTGOING, { range: "bytes=999-" })
      assert.strictEqual(beyond.status, 416)
      assert.strictEqual(beyond.headers.get("content-range"), `bytes */${PICTURE.length}`)
      // What is no range, and no tag, is not passed on.
      const whole = yield* app.get(OUTGOING, { range: "lines=1-2, bytes=0-1", "if-none-match": "abc" })
      assert.deepStrictEqual(yield* bytesOf(whole), PICTURE)
      assert.isUndefined(app.asked.at(-1)?.headers.range)
      assert.isUndefined(app.asked.at(-1)?.headers["if-none-match"])
    })
  )

  it.effect("are pictures, recordings and PDFs only, and nothing in them may run", () =>
    Effect.gen(function* () {
      let type: string | undefined
      const app = yield* mediaApp((_, response) =>
        send(
          response,
          200,
          {
            ...(type === undefined ? {} : { "content-type": type }),
            "content-disposition": `attachment; filename="r__port.pdf"; filename*=UTF-8''r%C3%A9port%22.pdf`
          },
          "<script>alert(1)</script>"
        )
      )
      for (const wrong of [
        "text/html",
        "text/html; charset=utf-8",
        "application/json",
        "application/octet-stream",
        "image/",
        "image/png, text/html",
        "image/x-anything",
        "application/xhtml+xml",
        "",
        undefined
      ]) {
        type = wrong
        const refused = yield* app.get(OUTGOING)
        assert.strictEqual(refused.status, 415, String(wrong))
        assert.deepStrictEqual(worded(yield* app.json(refused)), {
          error: "unsupported_media_type",
          details: "this file type can't be shown here"
        })
      }
      for (const right of ["image/jpeg", "audio/mpeg", "video/mp4", "audio/x-wav"]) {
        type = right
        const shown = yield* app.get(OUTGOING, { "sec-fetch-dest": "document" })
        assert.strictEqual(shown.status, 200)
        assert.isNull(shown.headers.get("content-disposition"), right)
        yield* bytesOf(shown)
      }
      for (const [saved, name] of [
        ["application/pdf", "r%C3%A9port%22.pdf"],
        ["image/svg+xml", "r%C3%A9port%22.pdf"]
      ]) {
        type = saved
        const opened = yield* app.get(OUTGOING, { "sec-fetch-dest": "document" })
        assert.include(opened.headers.get("content-disposition") ?? "", `filename*=UTF-8''${name}`)
        assert.include(opened.headers.get("content-security-policy") ?? "", "sandbox")
        yield* bytesOf(opened)
      }
    })
  )

  it.effect("by addresses of another shape are refused, and the gateway is asked nothing", () =>
    Effect.gen(function* () {
      const app = yield* mediaApp(picture)
      const key = encodeURIComponent("agent:main:main")
      const hostile = [
        ...[
          "x",
          "../secret",
          `${ID}x`,
          ID.replaceAll("-", ""),
          `${ID}?x=1`,
          `${ID}%2F..`,
          ID.replace("-4", "-9"),
          " ",
          "%00"
        ].map((id) => `/api/gateway/media/outgoing/${key}/${encodeURIComponent(id)}`),
        ...[".", "..", "%2e%2e", "a\nb", "\0", "x".repeat(1001)].map(
          (session) => `/api/gateway/media/outgoing/${encodeURIComponent(session)}/${ID}`
        ),
        ...["..", "a/b", "a\\b", "..\\x", "a\0b", "x".repeat(256)].map(
          (name) => `/api/gateway/media/inbound/${encodeURIComponent(name)}`
        ),
        "/api/gateway/media/inbound/",
        "/api/gateway/media/inbound",
        "/api/gateway/media",
        `/api/gateway/media/outgoing/${key}`,
        `/api/gateway/media/outgoing/${key}/${ID}/thumbnail`,
        `/api/gateway/media/outgoing/a/b/${ID}`,
        "/api/gateway/media/inbound/%E0%A4%A",
        "/api/gateway/media/http%3A%2F%2Fexample.com%2Fx.png"
      ]
      for (const path of hostile) {
        const refused = yield* app.get(path)
        // The one that stays is data: a name made of escapes is asked for as exactly that name.
        if (refused.status === 200) assert.include(path, "%252e%252e", path)
        else assert.oneOf(refused.status, [400, 404], path)
        if (refused.status !== 200) yield* bytesOf(refused)
      }
      const literal = app.asked.filter(({ url }) => url !== `/api/chat/media/outgoing/%252e%252e/${ID}/full`)
      assert.deepStrictEqual(literal, [])
    })
  )

  it.effect("never lead anywhere else on the gateway, however a path is spelled", () =>
    Effect.gen(function* () {
      const app = yield* mediaApp(picture)
      for (const spelling of TRAVERSAL_SPELLINGS) {
        const part = encodeURIComponent(spelling.toWellFormed())
        for (const path of [`/api/gateway/media/inbound/${part}`, `/api/gateway/media/outgoing/${part}/${ID}`]) {
          const response = yield* app.get(path)
          assert.oneOf(response.status, [200, 400, 404], path)
          yield* bytesOf(response)
        }
      }
      for (const { url } of app.asked) {
        const { pathname, searchParams } = new URL(url ?? "", "http://gateway")
        const source = searchParams.get("source")
        if (source === null) assert.match(pathname, new RegExp(`^/api/chat/media/outgoing/[^/]+/${ID}/full$`))
        else {
          assert.strictEqual(pathname, "/__openclaw__/assistant-media")
          assert.match(source, /^media:\/\/inbound\/[^/\\]+$/)
          assert.notMatch(source, /\/\.\.?$/)
        }
      }
    })
  )

  it.effect.each([301, 302, 303, 307, 308])("are not fetched from where the gateway points to with %i", (status) =>
    Effect.gen(function* () {
      const elsewhere = yield* serveFiles(picture)
      const app = yield* mediaApp((_, response) => send(response, status, { location: `${elsewhere.url}/x.png` }))
      const refused = yield* app.get(OUTGOING)
      assert.strictEqual(refused.status, 502)
      assert.deepStrictEqual(worded(yield* app.json(refused)), {
        error: "gateway_failure",
        details: `${app.settings.gatewayUrl} answers with a redirect, which the console doesn't follow: set GATEWAY_URL to the address it leads to.`
      })
      assert.deepStrictEqual(elsewhere.asked, [])
    })
  )

  it.effect("that cannot be had are reported in the console's own words", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [status: number, error: string, details: RegExp, answer: FileAnswer]> = [
        [404, "not_found", /no longer has this file/, (_, response) => send(response, 404, {}, "RAW")],
        [502, "gateway_failure", /check GATEWAY_TOKEN/, (_, response) => send(response, 401, {}, "RAW")],
        [502, "gateway_failure", /check GATEWAY_TOKEN/, (_, response) => send(response, 403, {}, "RAW")],
        [502, "gateway_failure", /couldn't send the file/, (_, response) => send(response, 500, {}, "RAW")],
        [
          502,
          "gateway_failure",
          /couldn't send the file/,
          (_, response) => send(response, 206, { "content-type": "image/png" }, "RAW")
        ],
        [502, "gateway_failure", /Couldn't reach/, (request) => request.socket.destroy()],
        [
          413,
          "file_too_large",
          /larger than 64 MB/,
          (_, response) => {
            response.writeHead(200, { "content-type": "image/png", "content-length": String(65 * 1024 * 1024) })
            response.write("x")
          }
        ]
      ]
      for (const [status, error, details, answer] of cases) {
        const app = yield* mediaApp(answer)
        const refused = yield* app.get(OUTGOING)
        const body = yield* app.json(refused)
        assert.strictEqual(refused.status, status)
        assert.propertyVal(body, "error", error)
        assert.match(JSON.stringify(body), details)
        assert.notInclude(JSON.stringify(body), "RAW")
        assert.notInclude(JSON.stringify(body), TOKEN)
      }
    })
  )

  it.effect("are not waited for for ever", () =>
    Effect.gen(function* () {
      const seen = yield* Deferred.make<void>()
      const app = yield* mediaApp(() => Deferred.doneUnsafe(seen, Effect.void))
      const waiting = yield* Effect.forkChild(app.get(OUTGOING))
      yield* Deferred.await(seen)
      yield* TestClock.adjust("15 seconds")
      const answer = yield* Fiber.join(waiting)
      assert.strictEqual(answer.status, 502)
      assert.match(JSON.stringify(yield* app.json(answer)), /didn't send the file in time/)
    })
  )

  it.effect("need a session where auth is on, and a token", () =>
    Effect.gen(function* () {
      const guarded = yield* mediaApp(picture, { authEnabled: true })
      assert.strictEqual((yield* guarded.get(OUTGOING)).status, 401)
      assert.deepStrictEqual(guarded.asked, [])
      const bare = yield* mediaApp(picture, { gatewayToken: undefined })
      const refused = yield* bare.get(OUTGOING)
      assert.strictEqual(refused.status, 502)
      assert.match(JSON.stringify(yield* bare.json(refused)), /No gateway token/)
      assert.deepStrictEqual(bare.asked, [])
    })
  )
})
