import { performance } from "node:perf_hooks"
import { WebSocket } from "ws"

const CONNECT = {
  type: "req",
  id: "bench",
  method: "connect",
  params: {
    minProtocol: 3,
    maxProtocol: 4,
    client: { id: "gateway-client", version: "1", platform: "bench", mode: "ui" }
  }
}

/** A connection to the benchmark's gateway, direct or through the console, after the handshake. */
export class BenchClient {
  private readonly ws: WebSocket

  private constructor(ws: WebSocket) {
    this.ws = ws
  }

  static open(url: string): Promise<BenchClient> {
    return new Promise((resolve, reject) => {
      const ws = new WebSocket(url, { perMessageDeflate: false, skipUTF8Validation: true, maxPayload: 0 })
      ws.once("error", reject)
      ws.once("close", (code, reason) => reject(new Error(`${url} closed with ${code} ${reason.toString()}`)))
      ws.once("message", () => {
        ws.send(JSON.stringify(CONNECT))
        ws.once("message", () => resolve(new BenchClient(ws)))
      })
    })
  }

  /** Microseconds per echo, one after another. */
  async roundTrips(count: number, bytes: number): Promise<ReadonlyArray<number>> {
    const frame = Buffer.alloc(bytes, "x")
    const times: Array<number> = []
    for (let n = 0; n < count; n++) {
      const start = performance.now()
      await new Promise((resolve) => {
        this.ws.once("message", resolve)
        this.ws.send(frame, { binary: false })
      })
      times.push((performance.now() - start) * 1000)
    }
    return times
  }

  /** Frames received per second while the gateway sends as fast as it can. */
  receive(count: number, bytes: number): Promise<number> {
    return new Promise((resolve) => {
      const start = performance.now()
      let received = 0
      const onMessage = () => {
        received++
        if (received < count) return
        this.ws.off("message", onMessage)
        resolve((count / (performance.now() - start)) * 1000)
      }
      this.ws.on("message", onMessage)
      this.ws.send(`flood ${count} ${bytes}`)
    })
  }

  /** Frames a second that the gateway takes when they are sent as fast as the connection lets them go. */
  async send(count: number, bytes: number): Promise<number> {
    const frame = Buffer.alloc(bytes, "x")
    const start = performance.now()
    const taken = this.next()
    this.ws.send(`sink ${count}`)
    for (let sent = 0; sent < count; sent++) {
      const isFull = this.ws.bufferedAmount > 1_048_576
      if (!isFull) this.ws.send(frame, { binary: false })
      else await new Promise((resolve) => this.ws.send(frame, { binary: false }, resolve))
    }
    await taken
    return (count / (performance.now() - start)) * 1000
  }

  /** In how many frames the gateway gets a message that leaves here in three, and of which kind. */
  async fragments(): Promise<string> {
    this.ws.send("frames")
    await this.next()
    const told = this.next()
    this.ws.send("a", { fin: false, binary: true })
    this.ws.send("b", { fin: false })
    this.ws.send("c", { fin: true })
    return told
  }

  /** Code and reason that arrive when the gateway closes with these. */
  closedWith(code: number, reason: string): Promise<string> {
    this.ws.removeAllListeners("close")
    return new Promise((resolve) => {
      this.ws.once("close", (got, text) => resolve(`${got} ${text.toString()}`.trim()))
      this.ws.send(`close ${code} ${reason}`)
    })
  }

  private next(): Promise<string> {
    return new Promise((resolve) => this.ws.once("message", (data) => resolve(data.toString())))
  }

  /** Requests frames without reading them. */
  stall(count: number, bytes: number): void {
    this.ws.send(`flood ${count} ${bytes}`)
    this.ws.pause()
  }

  close(): void {
    this.ws.removeAllListeners("close")
    this.ws.terminate()
  }
}
