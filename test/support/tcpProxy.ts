import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"
import { setTimeout as delay } from "node:timers/promises"
import { Effect } from "effect"

/** The behaviour of a network for all data. */
type Weather = "fair" | "silent" | { readonly delayMs: number }

/** A connection with faults on request. */
export interface TcpProxy {
  readonly port: number
  readonly become: (weather: Weather) => void
  /** Redirects new connections to another port of loopback. */
  readonly aim: (port: number) => void
  /** Cuts every connection; with a number, the one on which the client sends for that time from now, once it's passed on. */
  readonly cut: (atMessage?: number) => void
  /** How many connections are open. */
  readonly open: () => number
  /** Every byte that clients sent, by connection. */
  readonly received: () => ReadonlyArray<Buffer>
}

/** A proxy on loopback in front of a port of loopback, for as long as the scope is open. */
export const tcpProxy = (first: number) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      let weather: Weather = "fair"
      let target = first
      let untilCut = 0
      const heard: Array<Array<Buffer>> = []
      const pairs = new Set<readonly [Socket, Socket]>()
      const server = createServer((client) => {
        const upstream = connect(target, "127.0.0.1")
        const pair = [client, upstream] as const
        pairs.add(pair)
        const end = () => {
          pairs.delete(pair)
          client.destroy()
          upstream.destroy()
        }
        const pass = (to: Socket) => (data: Buffer) => {
          if (weather === "silent") return
          if (to === upstream && untilCut > 0) {
            untilCut -= 1
            if (untilCut === 0) {
              to.end(data)
              client.destroy()
              return
            }
          }
          if (typeof weather === "object") void delay(weather.delayMs).then(() => to.write(data))
          else to.write(data)
        }
        const chunks: Array<Buffer> = []
        heard.push(chunks)
        client.on("data", (data: Buffer) => chunks.push(data))
        client.on("data", pass(upstream))
        upstream.on("data", pass(client))
        for (const one of pair) one.on("close", end).on("error", end)
      }).listen(0, "127.0.0.1")
      await once(server, "listening")
      const address = server.address()
      if (address === null || typeof address === "string") throw new Error("no port")
      const { port } = address
      const cutAll = () => {
        for (const [client, upstream] of pairs) {
          client.destroy()
          upstream.destroy()
        }
      }
      const proxy: TcpProxy = {
        port,
        become: (next) => {
          weather = next
        },
        aim: (port) => {
          target = port
        },
        cut: (atMessage) => {
          if (atMessage === undefined) cutAll()
          else untilCut = atMessage
        },
        open: () => pairs.size,
        received: () => heard.map((chunks) => Buffer.concat(chunks))
      }
      const close = () => {
        cutAll()
        server.close()
      }
      return { proxy, close }
    }),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.map(({ proxy }) => proxy))
