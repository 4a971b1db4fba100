import type { Why } from "../../contract/failure.ts"
import type { LIVE_FAILURES, LiveCode } from "../../contract/failures/live.ts"
import type { EndedTurn } from "../../services/conversations/openConversation.ts"
import { type Numbered, type Published, patchBetween } from "../../services/conversations/publisher.ts"
import type { LiveSocket } from "./LiveSocket.ts"

/** How often a client hears of a conversation: as it moves, or once a second. */
export type LiveRate = "live" | "slow"

/** Runs something in a second. */
export type InASecond = (run: () => void) => void

/** What a channel needs of its socket. */
export type ChannelSocket = Pick<LiveSocket, "hasRoom" | "send" | "sendText">

/** A channel with a conversation: a snapshot, then the patches that are made once for all of its channels. */
export class ConversationChannel {
  private readonly socket: ChannelSocket
  private readonly number: number
  private readonly inASecond: InASecond
  private rate: LiveRate
  /** What the client has. */
  private sent: Numbered | undefined
  /** What it should have. */
  private latest: Numbered | undefined
  private needsAll = false
  private isWaiting = false
  private isOver = false
  private leave: () => void = () => undefined

  constructor(socket: ChannelSocket, number: number, rate: LiveRate, inASecond: InASecond) {
    this.socket = socket
    this.number = number
    this.rate = rate
    this.inASecond = inASecond
  }

  /** Begins with a state; a client that has it already only hears so. `leave` is called at the channel's end. */
  show(first: Numbered, have: Pick<Numbered, "e" | "s"> | undefined, leave: () => void): void {
    this.leave = leave
    if (this.isOver) {
      leave()
      return
    }
    this.latest = first
    if (have?.e === first.e && have.s === first.s) {
      this.sent = first
      this.socket.send({ t: "same", c: this.number, e: first.e, s: first.s })
      return
    }
    this.needsAll = true
    this.catchUp()
  }

  published(published: Published): void {
    if (this.isOver || this.latest === undefined) return
    const { patch, ...latest } = published
    this.latest = latest
    if (patch === undefined || !this.socket.hasRoom()) this.needsAll = true
    if (this.needsAll) this.catchUp()
    else if (this.rate === "slow") this.wait()
    else if (this.sent?.s === latest.s - 1) {
      this.sent = latest
      this.socket.sendText(`{"t":"patch","c":${this.number},${patch}`)
    } else this.patch()
  }

  ended(turn: EndedTurn): void {
    if (this.isOver || this.latest === undefined) return
    this.patch()
    this.socket.send({ t: "turn", c: this.number, ...turn })
  }

  /** Takes other parameters. */
  set({ rate = this.rate }: { readonly rate?: LiveRate }): void {
    this.rate = rate
    if (rate === "live") this.patch()
  }

  /** The channel is over, and the client hears why. */
  gone(code: LiveCode | keyof typeof LIVE_FAILURES): void {
    if (this.isOver) return
    const why: Why = { code }
    this.socket.send({ t: "gone", c: this.number, why })
    this.close()
  }

  /** Sends the state if the client can't be brought to it by patches, unless the socket is still full. */
  catchUp(): void {
    const { latest } = this
    if (!this.needsAll || this.isOver || latest === undefined || !this.socket.hasRoom()) return
    this.needsAll = false
    this.sent = latest
    const { head, items } = latest.state
    this.socket.send({ t: "snapshot", c: this.number, e: latest.e, s: latest.s, state: { items, head } })
  }

  close(): void {
    this.isOver = true
    this.leave()
  }

  private wait(): void {
    if (this.isWaiting) return
    this.isWaiting = true
    this.inASecond(() => {
      this.isWaiting = false
      this.patch()
    })
  }

  /** One patch for all states since the last one. */
  private patch(): void {
    const { latest, sent } = this
    if (this.isOver || this.needsAll || latest === undefined || sent === undefined || sent.s === latest.s) return
    if (!this.socket.hasRoom()) {
      this.needsAll = true
      return
    }
    this.sent = latest
    const { head, ops } = patchBetween(sent.state, latest.state) ?? {}
    this.socket.send({
      t: "patch",
      c: this.number,
      from: sent.s,
      s: latest.s,
      ...(ops === undefined ? {} : { ops }),
      ...(head === undefined ? {} : { head })
    })
  }
}
