import { readFileSync } from "node:fs"
import { createServer, type Server } from "node:https"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { WebSocketServer } from "ws"
import { CLOSE } from "../../../../src/http/gateway/proxy/frames/frames.ts"
import { makeCertificate } from "../../../support/makeCertificate.ts"
import { serveProxy } from "../../../support/serveApp.ts"
import { openProxy } from "../../../support/sockets.ts"

const certificateIn = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped()
  yield* makeCertificate(folder)
  return {
    cert: readFileSync(`${folder}/certs/cert.pem`, "utf8"),
    key: readFileSync(`${folder}/certs/key.pem`, "utf8")
  }
})

/** A WebSocket server behind TLS that sends every message back with the name of the protocol it came over. */
const secureEcho = (certificate: { readonly cert: string; readonly key: string }) =>
  Effect.acquireRelease(
    Effect.callback<Server>((resume) => {
      const server = createServer(certificate)
      const sockets = new WebSocketServer({ server, perMessageDeflate: false })
      sockets.on("connection", (ws, request) => {
        const isEncrypted = "encrypted" in request.socket && request.socket.encrypted === true
        ws.on("message", (text) => ws.send(`${isEncrypted ? "TLS" : "plain"} ${String(text)}`))
      })
      server.on("tlsClientError", () => {})
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  ).pipe(
    Effect.map((server) => {
      const address = server.address()
      return `wss://localhost:${typeof address === "object" && address !== null ? address.port : 0}`
    })
  )

/** Lets this process trust one more certificate, until the scope closes. */
const trusting = (certificate: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const before = getCACertificates("default")
      setDefaultCACertificates([...before, certificate])
      return before
    }),
    (before) => Effect.sync(() => setDefaultCACertificates(before))
  )

it.layer(NodeServices.layer, { excludeTestServices: true })((it) => {
  it.effect("a wss target is reached over TLS, and frames pass both ways", () =>
    Effect.gen(function* () {
      const certificate = yield* certificateIn
      yield* trusting(certificate.cert)
      const target = yield* secureEcho(certificate)
      const { port } = yield* serveProxy()
      const client = yield* openProxy(port, { target })
      yield* client.send("hello")
      assert.strictEqual(String(yield* client.next), "TLS hello")
    })
  )

  it.effect("a wss target whose certificate nobody vouches for is not spoken to", () =>
    Effect.gen(function* () {
      const target = yield* secureEcho(yield* certificateIn)
      const { port } = yield* serveProxy()
      const client = yield* openProxy(port, { target })
      assert.deepStrictEqual(yield* client.closed, CLOSE.unreachable)
    })
  )
})
