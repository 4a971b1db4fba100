import type { Why } from "../../contract/failure.ts"
import type { ClientFrame, PatchOp } from "../../contract/schema/live.ts"
import type { LiveSocket } from "./LiveSocket.ts"
import type { RecentStates } from "./RecentStates.ts"

type OpenFrame = Extract<ClientFrame, { t: "open" }>

/** What a topic shows on one channel. */
export interface ShownState {
  /** All of it, as it is now. */
  readonly read: () => Readonly<Record<string, unknown>>
  readonly close: () => void
  /** Changes the topic's parameters. */
  readonly set?: (changed: Extract<ClientFrame, { t: "set" }>) => void
}

interface LiveChannelOptions {
  readonly socket: LiveSocket
  readonly recent: RecentStates
  /** A name for the states of a new channel. */
  readonly epoch: string
  /** The channel is over, and not by its client. */
  readonly onGone: () => void
}

/** One channel of a socket: a snapshot, then numbered patches; for a slow reader, another snapshot. */
export class LiveChannel {
  private readonly socket: LiveSocket
  private readonly recent: RecentStates
  private readonly number: number
  private readonly onGone: () => void
  private epoch: string
  private state = 0
  private hasMoved = false
  private shown: ShownState | undefined

  constructor(number: number, { epoch, onGone, recent, socket }: LiveChannelOptions) {
    this.socket = socket
    this.recent = recent
    this.number = number
    this.epoch = epoch
    this.onGone = onGone
  }

  /** Begins with the state as it is now; a client that has it already is told so. */
  show(shown: ShownState, have: OpenFrame["have"]): void {
    this.shown = shown
    if (have !== undefined && this.recent.isStill(have, shown.read())) {
      this.epoch = have.e
      this.state = have.s
      this.socket.send({ t: "same", c: this.number, ...have })
      return
    }
    this.hasMoved = true
    this.catchUp()
  }

  patch(ops: ReadonlyArray<PatchOp>, head: Readonly<Record<string, unknown>> = {}): void {
    const hasHead = Object.keys(head).length > 0
    if (this.shown === undefined || (ops.length === 0 && !hasHead)) return
    if (this.hasMoved || !this.socket.hasRoom()) {
      this.hasMoved = true
      return
    }
    this.state += 1
    this.socket.send({
      t: "patch",
      c: this.number,
      s: this.state,
      ...(ops.length === 0 ? {} : { ops }),
      ...(hasHead ? { head } : {})
    })
  }

  /** Changes the topic's parameters; a topic without any has nothing to change. */
  set(changed: Extract<ClientFrame, { t: "set" }>): void {
    this.shown?.set?.(changed)
  }

  /** Sends the state if it has moved on since the last frame, unless the socket is still full. */
  catchUp(): void {
    if (!this.hasMoved || this.shown === undefined || !this.socket.hasRoom()) return
    this.hasMoved = false
    this.state += 1
    this.socket.send({ t: "snapshot", c: this.number, e: this.epoch, s: this.state, state: this.shown.read() })
  }

  /** Ends the channel, and says why. */
  end(why: Why): void {
    this.socket.send({ t: "gone", c: this.number, why })
    this.shown?.close()
    this.shown = undefined
    this.onGone()
  }

  close(): void {
    if (this.shown === undefined) return
    if (!this.hasMoved) this.recent.remember({ e: this.epoch, s: this.state }, this.shown.read())
    this.shown.close()
    this.shown = undefined
  }
}
