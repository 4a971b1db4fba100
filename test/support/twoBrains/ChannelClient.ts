import { assert } from "@effect/vitest"
import { Schema } from "effect"
import { applyPatch } from "../../../src/contract/applyPatch.ts"
import { ConversationState } from "../../../src/contract/schema/conversation.ts"
import { serverFrames } from "../../../src/contract/schema/live.ts"
import { ConversationChannel, type LiveRate } from "../../../src/http/live/ConversationChannel.ts"
import type { Numbered, Publisher } from "../../../src/services/conversations/publisher.ts"
import { compared } from "./compareSeen.ts"

const decodeFrame = Schema.decodeUnknownSync(
  Schema.Union([serverFrames.snapshot, serverFrames.patch, serverFrames.same])
)
const decodeState = Schema.decodeUnknownSync(ConversationState)

const copyOf = (state: object): unknown => JSON.parse(JSON.stringify(state))

/** A client of one channel without a socket in between: it keeps what the channel's frames make. */
export class ChannelClient {
  state: unknown
  /** Whether its socket has room. */
  hasRoom = true
  private e = ""
  private s = 0
  private readonly publisher: Publisher
  private readonly rate: LiveRate
  private readonly due: Array<() => void> = []
  private channel: ConversationChannel

  constructor(publisher: Publisher, rate: LiveRate) {
    this.publisher = publisher
    this.rate = rate
    this.channel = this.open(undefined)
  }

  /** Closes the channel and opens it again, with what it has. */
  reopen(): void {
    this.channel.close()
    this.channel = this.open({ e: this.e, s: this.s })
  }

  /** A second has passed. */
  second(): void {
    for (const run of this.due.splice(0)) run()
  }

  /** Its socket has been read. */
  drain(): void {
    this.hasRoom = true
    this.channel.catchUp()
  }

  /** It has what was published last. */
  assertCurrent(where: string): void {
    const { e, s, state } = this.publisher.current()
    assert.deepStrictEqual({ e: this.e, s: this.s, state: this.state }, { e, s, state: copyOf(state) }, where)
  }

  private open(have: Pick<Numbered, "e" | "s"> | undefined): ConversationChannel {
    const take = (text: string) => this.take(text)
    const socket = {
      hasRoom: () => this.hasRoom,
      send: (frame: object) => take(JSON.stringify(frame)),
      sendText: take
    }
    const channel = new ConversationChannel(socket, 1, this.rate, (run) => this.due.push(run))
    const leave = this.publisher.view((published) => channel.published(published))
    channel.show(this.publisher.current(), have, leave)
    return channel
  }

  private take(text: string): void {
    const frame = decodeFrame(JSON.parse(text))
    switch (frame.t) {
      case "snapshot":
        compared.snapshots += 1
        this.e = frame.e
        this.s = frame.s
        this.state = copyOf(decodeState(frame.state))
        break
      case "same":
        compared.same += 1
        assert.deepStrictEqual({ e: frame.e, s: frame.s }, { e: this.e, s: this.s })
        break
      case "patch": {
        assert.strictEqual(frame.from ?? frame.s - 1, this.s, "a patch builds on what the client has")
        const { head, items } = decodeState(this.state)
        const { c: _, from, s, t: __, ...patch } = frame
        const next = applyPatch({ items: items.map((item) => ({ ...item })), head: { ...head } }, patch)
        assert.isDefined(next, "a patch fits what the client has")
        this.state = copyOf(decodeState(next))
        this.s = s
        compared.patches += 1
        if (from !== undefined) compared.combined += 1
      }
    }
  }
}
