import { connect, createServer, type Socket } from "node:net"

/**
 * Child process of the proxy benchmark: only copies bytes between its own port and the given one, so its cost is the
 * minimum for any relay in Node. Reports its port to its parent.
 */
const [port] = process.argv.slice(2).map(Number)

const copy = (from: Socket, to: Socket) => {
  from.on("data", (chunk) => {
    if (!to.write(chunk)) from.pause()
  })
  to.on("drain", () => from.resume())
  from.on("error", () => from.destroy())
  from.on("close", () => to.destroy())
}

const server = createServer({ noDelay: true }, (client) => {
  const upstream = connect({ host: "127.0.0.1", port: port ?? 0, noDelay: true })
  copy(client, upstream)
  copy(upstream, client)
})

server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  if (address !== null && typeof address === "object") process.send?.(address.port)
})
