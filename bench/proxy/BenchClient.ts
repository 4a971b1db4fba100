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

  /** Microseconds of each of so many echoes, one after another. */
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

  /** Frames a second that arrive when the gateway sends as fast as it can. */
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

  /** Asks for frames and does not read them. */
  stall(count: number, bytes: number): void {
    this.ws.send(`flood ${count} ${bytes}`)
    this.ws.pause()
  }

  close(): void {
    this.ws.removeAllListeners("close")
    this.ws.terminate()
  }
}
