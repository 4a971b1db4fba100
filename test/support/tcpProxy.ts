import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"
import { setTimeout as delay } from "node:timers/promises"
import { Effect } from "effect"

/** What a network in between does to everything that passes. */
type Weather = "fair" | "silent" | { readonly delayMs: number }

/** A connection through which faults can be made. */
export interface TcpProxy {
  readonly port: number
  readonly become: (weather: Weather) => void
  /** Cuts every connection; with `whenAsked`, each one as soon as the client has sent something. */
  readonly cut: (how?: "whenAsked") => void
}

/** A proxy on loopback in front of a port of loopback, for as long as the scope is open. */
export const tcpProxy = (target: number) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      let weather: Weather = "fair"
      let cutsNext = false
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
          if (to === upstream && cutsNext) {
            cutsNext = false
            to.write(data)
            client.destroy()
            return
          }
          if (typeof weather === "object") void delay(weather.delayMs).then(() => to.write(data))
          else to.write(data)
        }
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
        cut: (how) => {
          if (how === undefined) cutAll()
          else cutsNext = true
        }
      }
      const close = () => {
        cutAll()
        server.close()
      }
      return { proxy, close }
    }),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.map(({ proxy }) => proxy))
