import { PRIMARY } from "../../../src/contract/qualifiedKey.ts"
import type { ConversationState } from "../../../src/contract/schema/conversation.ts"
import { heldStep } from "../../../src/services/conversations/heldStep.ts"
import { makePublisher, type Publisher } from "../../../src/services/conversations/publisher.ts"
import { makeShownState } from "../../../src/services/conversations/shownState.ts"
import {
  type Conversation,
  type ConversationEvent,
  newConversation,
  type ReadPlan,
  type Timer
} from "../../../src/services/conversations/turn/Conversation.ts"
import { ChannelClient } from "./ChannelClient.ts"

/** Events of which the console hears in another way, or not at all. */
const ONLY_PAGE = new Set(["send", "retry", "takeBack", "askAgain", "loadOlder", "olderRead", "wholeRead"])

/** The console's conversation without a gateway and a clock, for a page's: takes what happens to the page, as the console hears of it. */
export class ServerTwin {
  state: Conversation
  private plan: ReadPlan | undefined
  private askedAt = 0
  private readonly timers = new Set<Timer>()
  private due: (() => void) | undefined
  private time = 0
  private epochs = 0
  private readonly shown = makeShownState(PRIMARY)
  private readonly publisher: Publisher
  private told = 0
  private readonly live: ChannelClient
  private readonly slow: ChannelClient
  /** One whose socket has no room now and then. */
  private readonly full: ChannelClient

  constructor(sessionKey: string) {
    this.state = newConversation(sessionKey)
    this.publisher = makePublisher({
      shown: () => this.screen,
      newEpoch: () => `e${++this.epochs}`,
      now: () => this.time,
      after: (_, run) => {
        this.due = run
      }
    })
    this.live = new ChannelClient(this.publisher, "live")
    this.slow = new ChannelClient(this.publisher, "slow")
    this.full = new ChannelClient(this.publisher, "live")
  }

  get screen(): ConversationState {
    const versions = { tips: [], versions: [] }
    return this.shown(this.state, { connection: undefined, unreached: undefined, versions })
  }

  /** Something has happened to the page; a timer of it may have been due, or a test lets one pass that wasn't. */
  take(event: ConversationEvent, now: number, isDue = true): void {
    const own = event.type === "elapsed" && !isDue ? event : this.ownOf(event)
    if (own === undefined) return
    const { effects, state } = heldStep({ ...this.state, now }, own)
    this.state = state
    for (const effect of effects) {
      if (effect.type === "publish") this.publisher.note()
      if (effect.type === "read") this.plan = effect.plan
      if (effect.type === "timer") {
        if (effect.ms === null) this.timers.delete(effect.timer)
        else this.timers.add(effect.timer)
      }
      if (effect.type === "request" && effect.to.of === "abort") this.askedAt = effect.to.askedAt
      if (effect.type === "turnEnd") this.publisher.flush()
    }
  }

  /** Time passes until everything is told; each client then has what there is. */
  assertTold(where: string): void {
    for (let rounds = 0; this.due !== undefined && rounds < 100; rounds += 1) {
      const run = this.due
      this.due = undefined
      this.time += 10_000
      run()
    }
    this.time += 10_000
    this.told += 1
    this.live.assertCurrent(`live, ${where}`)
    if (this.told % 7 === 0) this.live.reopen()
    if (this.told % 3 === 0) this.slow.second()
    if (this.told % 3 === 0) this.slow.assertCurrent(`slow, ${where}`)
    if (this.told % 5 === 0) this.full.hasRoom = false
    if (this.told % 5 === 3) this.full.drain()
    if (this.full.hasRoom) this.full.assertCurrent(`full, ${where}`)
  }

  /** The same event as it is to the console. */
  private ownOf(event: ConversationEvent): ConversationEvent | undefined {
    switch (event.type) {
      case "pageRead":
      case "pageFailed": {
        const { plan } = this
        this.plan = undefined
        return plan === undefined ? undefined : { ...event, plan }
      }
      case "elapsed":
        return this.timers.delete(event.timer) ? event : undefined
      case "outbox":
        return {
          ...event,
          messages: event.messages.filter(({ state }) => state !== "taking" && state !== "away")
        }
      case "answered":
      case "unanswered":
        return event.to.of === "abort" ? { ...event, to: { ...event.to, askedAt: this.askedAt } } : undefined
      default:
        return ONLY_PAGE.has(event.type) ? undefined : event
    }
  }
}
