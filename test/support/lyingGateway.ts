import { Effect, Option, Schema } from "effect"
import { WebSocket, WebSocketServer } from "ws"
import { freePort } from "./freePort.ts"

const Hello = Schema.fromJsonString(
  Schema.Struct({
    type: Schema.Literal("res"),
    id: Schema.String,
    ok: Schema.Literal(true),
    payload: Schema.StructWithRest(
      Schema.Struct({
        type: Schema.Literal("hello-ok"),
        server: Schema.Record(Schema.String, Schema.Unknown)
      }),
      [Schema.Record(Schema.String, Schema.Unknown)]
    )
  })
)
const decodeHello = Schema.decodeUnknownOption(Hello)

/** What a gateway claims to be in its greeting. */
interface Claim {
  readonly version: string
  readonly protocol: number
}

/** A gateway that greets as something that it isn't; everything else passes. Returns its address. */
export const lyingGateway = (wsUrl: string, { protocol, version }: Claim) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const port = await freePort()
      const server = new WebSocketServer({ host: "127.0.0.1", port })
      server.on("connection", (client) => {
        const upstream = new WebSocket(wsUrl)
        const early: Array<string> = []
        upstream.on("open", () => {
          for (const text of early) upstream.send(text)
        })
        client.on("message", (data) => {
          if (upstream.readyState === WebSocket.OPEN) upstream.send(data.toString())
          else early.push(data.toString())
        })
        upstream.on("message", (data) => {
          const text = data.toString()
          const lie = Option.map(decodeHello(text), (hello) => ({
            ...hello,
            payload: { ...hello.payload, protocol, server: { ...hello.payload.server, version } }
          }))
          client.send(Option.isSome(lie) ? JSON.stringify(lie.value) : text)
        })
        for (const [one, other] of [
          [client, upstream],
          [upstream, client]
        ] as const) {
          one.on("error", () => undefined)
          one.on("close", () => other.terminate())
        }
      })
      return { url: `http://127.0.0.1:${port}`, server }
    }),
    ({ server }) =>
      Effect.sync(() => {
        for (const client of server.clients) client.terminate()
        server.close()
      })
  ).pipe(Effect.map(({ url }) => url))
