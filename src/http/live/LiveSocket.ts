import { WebSocket } from "ws"
import type { ServerFrame } from "../../contract/schema/live.ts"
import { LIVE_LIMITS, type LiveEnd } from "./liveLimits.ts"

/** Frames that a client may still send after its socket was ended. */
const MOST_LATE = 1000

/** The console's end of one socket: writes frames, and never lets a slow reader fill the memory. */
export class LiveSocket {
  private readonly ws: WebSocket
  private readonly onDrained: () => void
  private readonly onTooSlow: () => void
  private eventBytes = 0
  private isWaiting = false
  private silentTicks = 0
  private late = 0
  /** Whether the client has said hello. */
  isGreeted = false
  private isEnded = false

  constructor(ws: WebSocket, on: { readonly drained: () => void; readonly tooSlow: () => void }) {
    this.ws = ws
    this.onDrained = on.drained
    this.onTooSlow = on.tooSlow
    const heard = () => {
      this.silentTicks = 0
      if (this.isEnded && ++this.late > MOST_LATE) ws.terminate()
    }
    ws.on("message", heard)
    ws.on("ping", heard)
    ws.on("pong", heard)
    // A close event follows.
    ws.on("error", () => undefined)
  }

  /** Whether there's room for a patch; if not, `drained` is called as soon as there is. */
  hasRoom(): boolean {
    if (this.ws.bufferedAmount <= LIVE_LIMITS.fullBytes) return true
    this.isWaiting = true
    return false
  }

  send(frame: ServerFrame): void {
    this.write(JSON.stringify(frame))
  }

  /** Sends a frame that is encoded already. */
  sendText(text: string): void {
    this.write(text)
  }

  /** Sends an event's frame, which waits for a slow reader, within limits. */
  sendEvent(text: string): void {
    if (this.isEnded) return
    const bytes = Buffer.byteLength(text)
    if (this.eventBytes + bytes > LIVE_LIMITS.eventBytes) {
      this.onTooSlow()
      return
    }
    this.eventBytes += bytes
    this.write(text, () => {
      this.eventBytes -= bytes
    })
  }

  /** Says what time it is, and ends the socket if nothing was heard for a while. */
  tick(now: number): void {
    this.silentTicks += 1
    if (this.silentTicks > LIVE_LIMITS.silentTicks) this.ws.terminate()
    if (this.isGreeted && this.hasRoom()) this.send({ t: "tick", now })
    if (this.ws.readyState === WebSocket.OPEN) this.ws.ping()
  }

  /** Says why, and closes. */
  end({ code, retryAfterMs, why }: LiveEnd): void {
    if (this.isEnded) return
    this.send({ t: "bye", why, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) })
    this.isEnded = true
    this.ws.close(code)
  }

  terminate(): void {
    this.ws.terminate()
  }

  private write(text: string, sent?: () => void): void {
    if (this.isEnded || this.ws.readyState !== WebSocket.OPEN) return
    this.ws.send(text, () => {
      sent?.()
      if (!this.isWaiting || this.ws.bufferedAmount >= LIVE_LIMITS.drainedBytes) return
      this.isWaiting = false
      this.onDrained()
    })
  }
}
