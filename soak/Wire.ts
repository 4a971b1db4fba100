import { connect, createServer, type Server, type Socket } from "node:net"

/** The network between the console and its gateway, which can be cut or go silent. */
export interface Wire {
  readonly port: number
  /** Closes all connections and refuses new ones until repaired. */
  readonly cut: () => void
  /** Silently drops everything in both directions until repaired. */
  readonly stall: () => void
  readonly mend: () => void
  readonly close: () => void
}

/** Opens a wire to a port of this machine. */
export const openWire = async (target: number): Promise<Wire> => {
  const sockets = new Set<Socket>()
  let state: "whole" | "cut" | "stalled" = "whole"

  const keep = (socket: Socket, other: Socket) => {
    sockets.add(socket)
    socket.on("error", () => other.destroy())
    socket.on("close", () => {
      sockets.delete(socket)
      other.destroy()
    })
  }
  const carry = (near: Socket) => {
    if (state === "cut") return void near.destroy()
    const far = connect(target, "127.0.0.1")
    keep(near, far)
    keep(far, near)
    near.pipe(far)
    far.pipe(near)
    if (state === "stalled") for (const socket of [near, far]) socket.pause()
  }
  const server: Server = createServer(carry)
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : 0)
    })
  })
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port,
    cut: () => {
      state = "cut"
      drop()
    },
    stall: () => {
      state = "stalled"
      for (const socket of sockets) socket.pause()
    },
    mend: () => {
      state = "whole"
      for (const socket of sockets) socket.resume()
    },
    close: () => {
      drop()
      server.close()
    }
  }
}
