import { createServer } from "node:http"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Schema, type Scope } from "effect"
import { practiceGateway } from "../../../../practice-gateway/older/practiceGateway.ts"
import { EmbeddedGateway } from "../../../../practice-gateway/src/EmbeddedGateway.ts"
import { eventually } from "../../../support/consoleLife.ts"
import { openLink } from "../../../support/gatewayLink.ts"
import { listen } from "../../../support/listen.ts"

const UNKNOWN = { code: 1008, reason: "Unknown gateway" }
const NOT_ALLOWED = { code: 1008, reason: "Target not allowed" }

const gatewayOf = (generation: "new" | "old") =>
  Effect.flatMap(Layer.build(practiceGateway({ tokenMs: 0, seed: false, generation })), (context) =>
    Effect.provide(EmbeddedGateway, context)
  )

const send = (base: string, method: string, path: string, body?: object) =>
  Effect.promise(async () => {
    const headers = { "content-type": "application/json" }
    const answer = await fetch(`${base}${path}`, {
      method,
      ...(body === undefined ? {} : { headers, body: JSON.stringify(body) })
    })
    return { status: answer.status, body: await answer.json() }
  })

const decodeList = Schema.decodeUnknownSync(
  Schema.Struct({ gateways: Schema.Array(Schema.Struct({ primary: Schema.Boolean, state: Schema.String })) })
)

/** A console with a primary gateway and two added ones, all of them real on loopback. */
const start = Effect.gen(function* () {
  const primary = yield* gatewayOf("new")
  const newer = yield* gatewayOf("new")
  const older = yield* gatewayOf("old")
  const { base, ports } = yield* listen({
    gatewayUrl: primary.url,
    gatewayToken: primary.token,
    // Even a host that's allowed gets no token but its own.
    wsAllowedHosts: ["127.0.0.1", "localhost"]
  })
  for (const [name, { token, url }] of [
    ["newer", newer],
    ["older", older]
  ] as const) {
    const added = yield* send(base, "POST", "/api/gateways", { name, url, token: Redacted.value(token) })
    assert.strictEqual(added.status, 201)
  }
  const states = Effect.map(send(base, "GET", "/api/gateways"), ({ body }) =>
    decodeList(body).gateways.flatMap(({ primary: isPrimary, state }) => (isPrimary ? [] : [state]))
  )
  yield* eventually(states, (all) => all.every((state) => state === "ok"))
  const open = (query: string) => openLink(`ws://127.0.0.1:${ports.http}/ws?${query}`)
  yield* (yield* open("")).connect({ scopes: ["operator.read"] })
  return { base, open, primary, newer, older }
})

type Gateway = EmbeddedGateway["Service"]

/** Everything a gateway ever received: each request's head and each frame. */
const received = ({ control }: Gateway) =>
  Effect.map(Effect.all([control.requests, control.frames]), (all) => JSON.stringify(all))

/** No token of another gateway was among what each of them received. */
const assertApart = Effect.fnUntraced(function* (gateways: ReadonlyArray<Gateway>) {
  for (const gateway of gateways) {
    const all = yield* received(gateway)
    assert.isAbove(all.length, 10)
    for (const other of gateways) {
      if (other !== gateway) assert.notInclude(all, Redacted.value(other.token))
    }
  }
})

const run = <A, E>(test: Effect.Effect<A, E, NodeServices.NodeServices | Scope.Scope>) =>
  test.pipe(Effect.provide(NodeServices.layer))

describe("/ws?gateway=", () => {
  it.live("connects to the gateway that is named, with its own token and the console's device", () =>
    run(
      Effect.gen(function* () {
        const { newer, older, open, primary } = yield* start
        for (const [query, protocol] of [
          ["gateway=newer", 4],
          ["gateway=older", 3],
          ["gateway=primary", 4],
          ["", 4]
        ] as const) {
          const link = yield* open(query)
          const hello = yield* link.connect({ scopes: ["operator.admin", "operator.read", "operator.write"] })
          assert.strictEqual(hello.payload?.protocol, protocol, query)
        }
        const here = yield* open("gateway=newer")
        yield* here.connect({ scopes: ["operator.admin", "operator.read", "operator.write"] })
        yield* here.call("chat.send", { sessionKey: "main", message: "only for the newer", idempotencyKey: "1" })
        assert.include(yield* received(newer), "only for the newer")
        for (const other of [older, primary]) assert.notInclude(yield* received(other), "only for the newer")
        yield* assertApart([primary, newer, older])
      })
    )
  )

  it.live("refuses every other place and every trick, and no token reaches a gateway that it isn't for", () =>
    run(
      Effect.gen(function* () {
        const { newer, older, open, primary } = yield* start
        const ws = ({ url }: Gateway) => encodeURIComponent(url.replace("http", "ws"))
        const named = ({ url }: Gateway) => encodeURIComponent(url.replace("http://127.0.0.1", "ws://localhost"))
        for (const query of [
          `gateway=newer&target=${ws(older)}`,
          `gateway=newer&target=${named(older)}`,
          `gateway=newer&target=${ws(primary)}`,
          `target=${ws(primary)}&gateway=older`,
          `gateway=primary&target=${ws(newer)}`,
          `gateway=newer&target=${encodeURIComponent("ws://127.0.0.1.nip.io:18789")}`,
          `gateway=newer&target=${ws(newer)}%2F..%2F%40elsewhere.example`,
          `gateway=newer&target=${encodeURIComponent(newer.url.replace("http://", "ws://user@"))}`
        ]) {
          const link = yield* open(query)
          if (query.includes("elsewhere")) {
            // The same host and port: a path changes neither.
            yield* link.waitFor(() => true).pipe(Effect.timeoutOption("500 millis"))
            continue
          }
          assert.deepStrictEqual(yield* link.closed, NOT_ALLOWED, query)
        }
        for (const query of [
          "gateway=nobody",
          "gateway=",
          "gateway=newer&gateway=newer",
          "gateway=newer&gateway=older",
          "gateway=primary&gateway=primary",
          "gateway=NEWER",
          `gateway=nobody&target=${ws(primary)}`
        ]) {
          assert.deepStrictEqual(yield* (yield* open(query)).closed, UNKNOWN, query)
        }
        // An allowed host, but not the primary: relayed without any token.
        for (const other of [newer, older]) {
          const link = yield* open(`target=${ws(other)}`)
          const answer = yield* link.connect({ client: { id: "test" } })
          assert.strictEqual(answer.ok, false)
        }
        const byName = yield* open(`gateway=newer&target=${named(newer)}`)
        yield* byName.connect({ scopes: ["operator.read"] })
        yield* assertApart([primary, newer, older])
      })
    )
  )

  it.live("follows no redirect, and a removed or changed gateway takes its open connections along", () =>
    run(
      Effect.gen(function* () {
        const { base, newer, older, open, primary } = yield* start
        const redirecting = createServer((_, response) => response.writeHead(307, { location: older.url }).end())
        redirecting.on("upgrade", (_, socket) => {
          socket.end(`HTTP/1.1 307 Temporary Redirect\r\nLocation: ${older.url}\r\nContent-Length: 0\r\n\r\n`)
        })
        const port = yield* Effect.acquireRelease(
          Effect.callback<number>((resume) => {
            redirecting.listen(0, "127.0.0.1", () => {
              const address = redirecting.address()
              resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
            })
          }),
          () => Effect.sync(() => redirecting.close())
        )
        const url = `http://127.0.0.1:${port}`
        yield* send(base, "POST", "/api/gateways", { name: "Trap", url, token: "of-the-trap" })
        const trapped = yield* open("gateway=trap")
        assert.deepInclude(yield* trapped.closed, { code: 1014 })
        for (const gateway of [primary, newer, older]) assert.notInclude(yield* received(gateway), "of-the-trap")

        const kept = yield* open("gateway=older")
        yield* kept.connect({ scopes: ["operator.read"] })
        const first = yield* open("gateway=newer")
        yield* first.connect({ scopes: ["operator.read"] })
        yield* send(base, "PATCH", "/api/gateways/newer", { token: "another" })
        yield* first.closed
        const second = yield* open("gateway=newer")
        yield* send(base, "DELETE", "/api/gateways/newer")
        yield* second.closed
        assert.deepStrictEqual(yield* (yield* open("gateway=newer")).closed, UNKNOWN)
        yield* kept.call("sessions.list", {})
        yield* assertApart([primary, newer, older])
      })
    )
  )
})
