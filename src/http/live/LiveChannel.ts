import type { PatchOp } from "../../contract/schema/live.ts"
import type { LiveSocket } from "./LiveSocket.ts"

/** What a topic shows on one channel. */
export interface ShownState {
  /** All of it, as it is now. */
  readonly read: () => Readonly<Record<string, unknown>>
  readonly close: () => void
}

/** One channel of a socket: a snapshot, then numbered patches; for a slow reader, another snapshot. */
export class LiveChannel {
  private readonly socket: LiveSocket
  private readonly number: number
  private readonly epoch: string
  private state = 0
  private hasMoved = false
  private shown: ShownState | undefined

  constructor(socket: LiveSocket, number: number, epoch: string) {
    this.socket = socket
    this.number = number
    this.epoch = epoch
  }

  /** Begins with the state as it is now. */
  show(shown: ShownState): void {
    this.shown = shown
    this.hasMoved = true
    this.catchUp()
  }

  patch(ops: ReadonlyArray<PatchOp>): void {
    if (this.shown === undefined || ops.length === 0) return
    if (this.hasMoved || !this.socket.hasRoom()) {
      this.hasMoved = true
      return
    }
    this.state += 1
    this.socket.send({ t: "patch", c: this.number, s: this.state, ops })
  }

  /** Sends the state if it has moved on since the last frame, unless the socket is still full. */
  catchUp(): void {
    if (!this.hasMoved || this.shown === undefined || !this.socket.hasRoom()) return
    this.hasMoved = false
    this.state += 1
    this.socket.send({ t: "snapshot", c: this.number, e: this.epoch, s: this.state, state: this.shown.read() })
  }

  close(): void {
    this.shown?.close()
    this.shown = undefined
  }
}
