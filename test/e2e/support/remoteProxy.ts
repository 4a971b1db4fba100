import { once } from "node:events"
import { createServer, type IncomingHttpHeaders, request } from "node:http"
import { connect } from "node:net"

/** A reverse proxy on loopback through which every client looks like one from far away. */
export interface RemoteProxy {
  readonly url: string
  readonly stop: () => Promise<void>
}

const CLIENT = "203.0.113.9"

/** Starts a proxy in front of a console: it forwards requests and upgrades and names a remote client. */
export const startRemoteProxy = async (target: string): Promise<RemoteProxy> => {
  const { host, hostname, port } = new URL(target)
  const forwarded = (headers: IncomingHttpHeaders): IncomingHttpHeaders => ({
    ...headers,
    host,
    "x-forwarded-for": CLIENT,
    ...(headers.origin === undefined ? {} : { origin: target })
  })
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming
    const onward = request({ hostname, port, method, path: url, headers: forwarded(headers) }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on("error", () => outgoing.destroy())
    outgoing.on("close", () => onward.destroy())
    incoming.pipe(onward)
  })
  const open = new Set<{ destroy: () => void }>()
  server.on("upgrade", (incoming, socket, head) => {
    const onward = connect(Number(port), hostname, () => {
      const lines = Object.entries(forwarded(incoming.headers)).map(([name, value]) => `${name}: ${value}`)
      onward.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`)
      onward.write(head)
      onward.pipe(socket).pipe(onward)
    })
    for (const one of [onward, socket]) {
      open.add(one)
      one.on("error", () => one.destroy())
      one.on("close", () => open.delete(one))
    }
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: async () => {
      for (const one of open) one.destroy()
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    }
  }
}
