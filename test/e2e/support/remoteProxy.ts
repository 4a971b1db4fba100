import { once } from "node:events"
import { createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http"
import { connect } from "node:net"

/** A server in front of a console that responds in its place; `undefined` passes a request on. */
export type Between = (
  path: string,
  isUpgrade: boolean
) => { status: number; headers: OutgoingHttpHeaders; body: string } | undefined

/** A reverse proxy on loopback. */
export interface RemoteProxy {
  readonly url: string
  /** Adds or removes a server in front of the console. */
  readonly putBetween: (between: Between | undefined) => void
  readonly stop: () => Promise<void>
}

const FAR_AWAY = "203.0.113.9"

/** Starts a proxy in front of a console: it forwards requests and upgrades and names a client, one far away unless given. */
export const startRemoteProxy = async (target: string, client = FAR_AWAY): Promise<RemoteProxy> => {
  let between: Between | undefined
  const { host, hostname, port } = new URL(target)
  const forwarded = (headers: IncomingHttpHeaders): IncomingHttpHeaders => ({
    ...headers,
    host,
    "x-forwarded-for": client,
    ...(headers.origin === undefined ? {} : { origin: target })
  })
  const server = createServer((incoming, outgoing) => {
    const { method, url = "", headers } = incoming
    const other = between?.(url, false)
    if (other !== undefined) {
      outgoing.writeHead(other.status, other.headers).end(other.body)
      return incoming.resume()
    }
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
    const other = between?.(incoming.url ?? "", true)
    if (other !== undefined) {
      socket.end(`HTTP/1.1 ${other.status} Here\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n${other.body}`)
      return
    }
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
    putBetween: (next) => {
      between = next
      // Open connections continue through a proxy whose sign-in has expired, until they break.
      if (next !== undefined) for (const one of open) one.destroy()
    },
    url: `http://127.0.0.1:${address.port}`,
    stop: async () => {
      for (const one of open) one.destroy()
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    }
  }
}
