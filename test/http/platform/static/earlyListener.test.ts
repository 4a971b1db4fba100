import { createServer } from "node:http"
import { connect } from "node:net"
import { connect as secureConnect } from "node:tls"
import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { earlyListener } from "../../../../src/http/platform/static/earlyListener.ts"
import { Settings } from "../../../../src/services/platform/settings/Settings.ts"
import { listen } from "../../../support/listen.ts"
import { FrontServices } from "../../../support/makeApp.ts"
import { makeCertificate } from "../../../support/makeCertificate.ts"
import { serveApp } from "../../../support/serveApp.ts"
import { testSettings } from "../../../support/testSettings.ts"

const ASSET = "/assets/app-1a2b.js"
const STYLE = "/assets/plain-3c4d.css"

const makeFiles = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const installDir = yield* fs.makeTempDirectoryScoped()
  const webRoot = `${installDir}/web`
  yield* fs.makeDirectory(`${webRoot}/assets`, { recursive: true })
  yield* fs.writeFileString(`${webRoot}/index.html`, "<!doctype html>")
  yield* fs.writeFileString(`${webRoot}${ASSET}`, "console.log(1);".repeat(200))
  yield* fs.writeFileString(`${webRoot}${ASSET}.br`, "as br")
  yield* fs.writeFileString(`${webRoot}${ASSET}.gz`, "as gzip")
  yield* fs.writeFileString(`${webRoot}${STYLE}`, "p{}")
  return { installDir, webRoot }
})

interface Target {
  readonly port: number | undefined
  readonly isSecure?: boolean
}

/** What differs between two same requests: the time, and how many are left. */
const steady = (answer: string): string =>
  answer
    .replaceAll(/\r\nDate: [^\r]*/g, "\r\nDate: now")
    .replaceAll(/\r\nx-ratelimit-(remaining|reset): \d+/g, "\r\nx-ratelimit-$1: some")

/** Everything one request brings back on a connection of its own, without what differs from time to time. */
const answerOf = ({ port = 0, isSecure = false }: Target, head: string, body = "") =>
  Effect.callback<string>((resume) => {
    let received = ""
    const options = { port, host: "127.0.0.1", rejectUnauthorized: false }
    const socket = isSecure ? secureConnect(options) : connect(options)
    socket.write(`${head}\r\nConnection: close\r\n\r\n${body}`)
    socket.on("data", (chunk: Buffer) => {
      received += chunk.toString("latin1")
    })
    socket.on("error", () => {})
    socket.on("close", () => resume(Effect.succeed(steady(received))))
    return Effect.sync(() => socket.destroy())
  })

const get = (path: string, ...headers: ReadonlyArray<string>) =>
  [`GET ${path} HTTP/1.1`, "Host: localhost", ...headers].join("\r\n")
const head = (path: string, ...headers: ReadonlyArray<string>) => get(path, ...headers).replace("GET", "HEAD")

const etagOf = (answer: string) => /\r\netag: ([^\r]+)/i.exec(answer)?.[1] ?? ""

interface Row {
  readonly status: number
  readonly head: string
  readonly body?: string
}

/** The same request three times on one connection, which stays open until the last. */
const thrice = (target: Target, head: string) =>
  answerOf(target, [head, head].map((text) => `${text}\r\n\r\n`).join("") + head)

/** Requests that are answered in front of the router, given the tags of the file and its twin. */
const plainRequests = (etag: string, twinEtag: string): ReadonlyArray<Row> => [
  { status: 200, head: get(ASSET) },
  { status: 200, head: get(ASSET, "Accept-Encoding: gzip, deflate, br") },
  { status: 200, head: get(ASSET, "Accept-Encoding: gzip") },
  { status: 200, head: get(ASSET, "Accept-Encoding: br;q=0, *") },
  { status: 200, head: get(STYLE, "Accept-Encoding: br") },
  { status: 200, head: head(ASSET) },
  { status: 200, head: head(ASSET, "Accept-Encoding: br") },
  { status: 304, head: get(ASSET, `If-None-Match: "x", ${etag}`) },
  { status: 304, head: get(ASSET, "Accept-Encoding: br", `If-None-Match: W/${twinEtag}`) },
  { status: 304, head: head(ASSET, "If-None-Match: *") },
  { status: 200, head: get(ASSET, `If-None-Match: ${twinEtag}`) },
  { status: 200, head: get(ASSET, "If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT") },
  { status: 200, head: get(ASSET).replace("HTTP/1.1", "HTTP/1.0") },
  { status: 200, head: get("/") },
  { status: 200, head: get("/index.html") }
]

/** Requests that are answered there only while the app is starting. */
const startingRequests: ReadonlyArray<Row> = [
  { status: 200, head: get("/api/version") },
  { status: 200, head: get("/api/version", "Accept-Encoding: gzip, br") },
  { status: 200, head: head("/api/version") }
]

/** Requests that are the router's even then. */
const otherRequests: ReadonlyArray<Row> = [
  { status: 200, head: get(ASSET, "Range: bytes=0-3") },
  { status: 200, head: get(ASSET, "Origin: https://elsewhere.example") },
  { status: 200, head: get(ASSET, "Origin: https://console.example") },
  { status: 200, head: get(`${ASSET}?v=1`) },
  { status: 200, head: get("/assets/app%2D1a2b.js") },
  { status: 200, head: get(ASSET, "Content-Length: 2"), body: "{}" },
  { status: 200, head: get(ASSET, "Transfer-Encoding: chunked"), body: "0\r\n\r\n" },
  { status: 200, head: get("/chat") },
  { status: 200, head: get("/missing.txt") },
  { status: 200, head: get("/api/version", "Origin: https://console.example") },
  { status: 200, head: get("/api/version?x=1") },
  { status: 403, head: get("/api/version").replace("localhost", "rebound.example") },
  { status: 403, head: get(ASSET).replace("localhost", "rebound.example") },
  { status: 404, head: get("/assets/none-5e6f.js") },
  { status: 404, head: get(`${ASSET}.br`) },
  { status: 404, head: get("/assets/../assets/none.js") },
  { status: 405, head: get(ASSET, "Content-Length: 0").replace("GET", "POST") },
  { status: 204, head: get(ASSET).replace("GET", "OPTIONS") }
]

const tags = Effect.fnUntraced(function* (target: Target) {
  yield* answerOf(target, get(STYLE))
  const etag = etagOf(yield* answerOf(target, get(ASSET)))
  const twinEtag = etagOf(yield* answerOf(target, get(ASSET, "Accept-Encoding: br")))
  assert.notStrictEqual(etag, twinEtag)
  return [etag, twinEtag] as const
})

/** The port of a front with no app behind it: what it passes on is answered 421. */
const frontAlone = Effect.fnUntraced(function* (
  options: Parameters<typeof testSettings>[0],
  state: { readonly isStarting: boolean }
) {
  const settings = Settings.layerOf(testSettings(options))
  const context = yield* Layer.build(FrontServices.pipe(Layer.provideMerge(settings)))
  const front = yield* Effect.provideContext(earlyListener, context)
  const server = createServer((request, response) =>
    front(request, response, () => response.writeHead(421).end(), state.isStarting)
  )
  return yield* Effect.acquireRelease(
    Effect.callback<number>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
      })
    }),
    () => Effect.sync(() => server.close())
  )
})

it.layer(NodeServices.layer, { excludeTestServices: true })((it) => {
  it.effect("what the front answers is byte for byte what the routes answer, over HTTP and HTTPS", () =>
    Effect.gen(function* () {
      const settings = { ...(yield* makeFiles), allowedOrigins: ["https://console.example"] }
      yield* makeCertificate(settings.installDir)
      // The same app on a listener with nothing in front of it.
      const route = yield* serveApp(settings)
      const { ports } = yield* listen(settings)
      const http = { port: ports.http }
      const rows = [...plainRequests(...(yield* tags(http))), ...startingRequests, ...otherRequests]
      for (const row of rows) {
        const expected = yield* answerOf(route, row.head, row.body)
        assert.strictEqual(expected.slice(0, 12), `HTTP/1.1 ${row.status}`, row.head)
        for (const target of [http, { port: ports.https, isSecure: true }]) {
          assert.strictEqual(yield* answerOf(target, row.head, row.body), expected, row.head)
        }
      }
      const starting = { port: yield* frontAlone(settings, { isStarting: true }) }
      for (const { head } of startingRequests) {
        assert.strictEqual(yield* answerOf(starting, head), yield* answerOf(route, head), head)
      }
      for (const { head } of plainRequests(...(yield* tags(http)))) {
        const expected = yield* thrice(route, head)
        assert.strictEqual(expected.split("HTTP/1.1 ").length - 1, head.includes("HTTP/1.0") ? 1 : 3, head)
        assert.strictEqual(yield* thrice(http, head), expected, head)
      }
    })
  )

  it.effect("plain requests never reach the router, the version does once there is one, all others always do", () =>
    Effect.gen(function* () {
      const state = { isStarting: true }
      const port = yield* frontAlone(yield* makeFiles, state)
      const plain = plainRequests(...(yield* tags({ port })))
      for (const row of [...plain, ...startingRequests]) {
        assert.strictEqual((yield* answerOf({ port }, row.head)).slice(0, 12), `HTTP/1.1 ${row.status}`, row.head)
      }
      state.isStarting = false
      for (const row of plain) {
        assert.strictEqual((yield* answerOf({ port }, row.head)).slice(0, 12), `HTTP/1.1 ${row.status}`, row.head)
      }
      for (const row of [...startingRequests, ...otherRequests]) {
        assert.match(yield* answerOf({ port }, row.head, row.body), /^HTTP\/1.1 421 /, row.head)
      }
    })
  )
})
