import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { Effect } from "effect"

/** The data of a flooding peer, as hex. */
export interface Flood {
  /** Sent once, first. */
  readonly first?: string
  /** Sent over and over. */
  readonly unit: string
  /** The amount in bytes. */
  readonly bytes?: number
}

/** A peer in its own process, so that it doesn't wait for its victim. */
export interface Flooding {
  /** The port of a flooding gateway. */
  readonly port: number
  /** Lets a page begin. */
  readonly go: Effect.Effect<void>
  /** Waits until its connection was ended. */
  readonly ended: Effect.Effect<void>
}

/** Reads no data, like a flooding peer. */
const SCRIPT = `
const { connect, createServer } = require("node:net")
const { createHash } = require("node:crypto")
const [plan] = process.argv.slice(1).map((text) => JSON.parse(text))
const unit = Buffer.from(plan.unit, "hex")
const whole = Buffer.alloc(Math.ceil(65536 / unit.length) * unit.length, unit)
const flood = (socket) => {
  let left = plan.bytes ?? 64_000_000
  socket.on("error", () => undefined)
  socket.on("close", () => console.log("ended"))
  const pump = () => {
    while (left > 0 && !socket.destroyed) {
      const next = whole.subarray(0, Math.min(left, whole.length))
      left -= next.length
      if (!socket.write(next)) return socket.once("drain", pump)
    }
  }
  if (plan.first !== undefined) socket.write(Buffer.from(plan.first, "hex"))
  pump()
}
if (plan.port === undefined) {
  const server = createServer((socket) => {
    socket.on("error", () => undefined)
    socket.once("data", (head) => {
      const key = /sec-websocket-key: (\\S+)/i.exec(head.toString())[1]
      const accept = createHash("sha1").update(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest("base64")
      socket.write("HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Accept: " + accept + "\\r\\n\\r\\n")
      flood(socket)
      socket.resume()
    })
  })
  server.listen(0, "127.0.0.1", () => console.log("port " + server.address().port))
} else {
  const socket = connect(plan.port, "127.0.0.1")
  socket.write("GET " + plan.path + " HTTP/1.1\\r\\nHost: 127.0.0.1:" + plan.port + "\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\nSec-WebSocket-Version: 13\\r\\nSec-WebSocket-Key: " + Buffer.alloc(16).toString("base64") + "\\r\\n\\r\\n")
  socket.once("data", () => {
    console.log("port 0")
    socket.on("error", () => undefined)
    socket.resume()
    process.stdin.once("data", () => flood(socket))
  })
}
process.stdin.resume().on("end", () => process.exit())
`

const run = (plan: object) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const child: ChildProcess = spawn(process.execPath, ["-e", SCRIPT, JSON.stringify(plan)], {
        stdio: ["pipe", "pipe", "inherit"]
      })
      const ended = Promise.withResolvers<void>()
      const started = Promise.withResolvers<number>()
      if (child.stdout !== null) {
        createInterface({ input: child.stdout }).on("line", (line) => {
          const [word, value] = line.split(" ")
          if (word === "port") started.resolve(Number(value))
          else ended.resolve()
        })
      }
      const flooding: Flooding = {
        port: await started.promise,
        go: Effect.sync(() => child.stdin?.write("go\n")),
        ended: Effect.promise(() => ended.promise)
      }
      return { child, flooding }
    }),
    ({ child }) =>
      Effect.promise(async () => {
        const exited = once(child, "exit")
        child.stdin?.end()
        await exited
      })
  ).pipe(Effect.map(({ flooding }) => flooding))

/** A gateway that accepts every connection and then floods it. */
export const floodingGateway = (flood: Flood) => run(flood)

/** A page that opens a WebSocket and floods it on request. */
export const floodingPage = (port: number, path: string, flood: Flood) => run({ ...flood, port, path })
