import { assert } from "@effect/vitest"
import { fieldsOf } from "../../../../src/contract/looseFields.ts"
import { decodeHistory } from "../../../../src/services/conversations/history/chatHistory.ts"
import {
  type Conversation,
  type ConversationEffect,
  type ConversationEvent,
  chatState,
  newConversation,
  type Timer
} from "../../../../src/services/conversations/turn/Conversation.ts"
import type { OutboxMessage } from "../../../../src/services/conversations/turn/outgoing.ts"
import { step } from "../../../../src/services/conversations/turn/step.ts"
import { differences } from "../../../../test/support/twoBrains/compareSeen.ts"
import { ServerTwin } from "../../../../test/support/twoBrains/ServerTwin.ts"
import { seenByPage, seenByServer } from "../../../../test/support/twoBrains/seenState.ts"
import { shownChat } from "../../../src/core/conversation/shownChat.ts"
import { messageOf } from "../../../src/core/outbox/outboxMessage.ts"
import { shortOf } from "./chatHarness.ts"
import { KEY, TurnFrames } from "./turnFrames.ts"

type EffectOf<T extends ConversationEffect["type"]> = Extract<ConversationEffect, { type: T }>

/** What a person does on the page, of which the console hears with its outbox. */
const AHEAD: ReadonlySet<ConversationEvent["type"]> = new Set(["send", "retry", "takeBack", "askAgain"])

/**
 * A conversation without link, clock and screen: a test says what happens to it, and reads what it asks for. The
 * console's conversation hears the same, and shows the same after every event.
 */
export class Talk {
  readonly protocol: number
  state: Conversation = newConversation(KEY)
  /** Everything it asked for so far. */
  readonly effects: Array<ConversationEffect> = []
  now = 1_000_000
  readonly server = new ServerTwin(KEY)
  private readonly due = new Set<Timer>()
  /** History requests that were answered, or are of no interest any more. */
  private answered = 0
  /** Something was done of which the console hasn't heard. */
  private isAhead = false
  private ids = 0
  /** The session's messages that aren't done with. */
  private outbox: ReadonlyArray<OutboxMessage> = []

  constructor(protocol: number) {
    this.protocol = protocol
    this.connect()
  }

  happen(event: ConversationEvent): void {
    const { state, effects } = step({ ...this.state, now: ++this.now }, event)
    this.state = state
    this.effects.push(...effects)
    const isDue = event.type === "elapsed" && this.due.delete(event.timer)
    for (const effect of effects) {
      if (effect.type === "timer" && effect.ms !== null) this.due.add(effect.timer)
      else if (effect.type === "timer") this.due.delete(effect.timer)
    }
    this.server.take(event, this.now, isDue)
    this.isAhead = AHEAD.has(event.type) || (this.isAhead && event.type !== "outbox")
    this.compare(`after ${event.type}${event.type === "frame" ? ` ${event.event}` : ""}`)
  }

  private compare(where: string): void {
    this.server.assertTold(where)
    if (this.isAhead) return
    assert.deepStrictEqual(differences(seenByPage(this.screen), seenByServer(this.server.screen)), [], where)
  }

  /** An event of the gateway about this session. */
  event(event: string, payload: object): void {
    const fields = fieldsOf(payload)
    this.happen({ type: "frame", event, payload: fields })
    const isEnd = event === "chat" && ["final", "aborted", "error"].includes(String(fields.state))
    const left = this.outbox.filter(({ runId }) => !isEnd || runId !== fields.runId)
    if (left.length < this.outbox.length) this.tell(left)
  }

  /** Sends the console's list of unfinished messages. */
  tell(outbox: ReadonlyArray<OutboxMessage>): void {
    this.outbox = outbox
    this.happen({ type: "outbox", messages: outbox })
  }

  turn(runId: string, at?: number): TurnFrames {
    return new TurnFrames(() => this, runId, at)
  }

  all<T extends ConversationEffect["type"]>(type: T): ReadonlyArray<EffectOf<T>> {
    return this.effects.filter((effect): effect is EffectOf<T> => effect.type === type)
  }

  last<T extends ConversationEffect["type"]>(type: T): EffectOf<T> {
    const found = this.all(type).at(-1)
    if (found === undefined) throw new Error(`no ${type} was asked for`)
    return found
  }

  /** Writes a message; its run id. */
  write(text: string): string {
    const id = `id-${++this.ids}`
    this.happen({ type: "send", message: { id, text, images: [] } })
    return id
  }

  /** The gateway takes the message that was sent last. */
  take(state: OutboxMessage["state"] = "handed"): void {
    const { message } = this.last("hand")
    this.tell([
      ...this.outbox.filter(({ id }) => id !== message.id),
      { ...messageOf(message, state, null), error: null }
    ])
  }

  /** The gateway answers what was asked of it last. */
  answer(answer: object): void {
    this.happen({ type: "answered", to: this.last("request").to, answer: fieldsOf(answer) })
  }

  /** The gateway takes a message at once. */
  say(text: string): string {
    const id = this.write(text)
    this.take()
    return id
  }

  /** The response to the last history request; `running` as in the history or the list of sessions. */
  history(messages: ReadonlyArray<object>, running: boolean, more: { isCut?: boolean; extras?: object } = {}): void {
    const session = this.protocol >= 4 ? { sessionInfo: { hasActiveRun: running } } : {}
    const page = decodeHistory({ messages, ...session, ...more.extras })
    this.answered = this.all("read").length
    this.happen({ type: "pageRead", plan: this.last("read").plan, page, running, isCut: more.isCut ?? false })
  }

  /** Whether a history request waits for its answer. */
  get isReading(): boolean {
    return this.answered < this.all("read").length
  }

  /** The gateway takes a message that waited. */
  hand(id: string): void {
    this.tell(this.outbox.map((message) => (message.id === id ? { ...message, state: "handed" } : message)))
  }

  textOf(id: string): string {
    return this.all("hand").find(({ message }) => message.id === id)?.message.text ?? ""
  }

  /** All timers pass that have been started. */
  passTimers(): void {
    for (const timer of [...this.due]) this.elapse(timer)
  }

  elapse(timer: Timer): void {
    this.happen({ type: "elapsed", timer })
  }

  /** Milliseconds a timer was last started with, null when it was stopped since. */
  timer(name: Timer): number | null {
    return this.all("timer").findLast(({ timer }) => timer === name)?.ms ?? null
  }

  disconnect(): void {
    this.happen({ type: "linked", link: null })
  }

  /** Connects to a gateway, whose process may have begun at a time of this browser's clock. */
  connect(startedAt: number | null = null): void {
    this.happen({ type: "linked", link: { protocol: this.protocol, canRewind: false, startedAt } })
  }

  /** The conversation in short: one word and text per item. */
  get shown(): ReadonlyArray<string> {
    return this.screen.items.map(shortOf)
  }

  get screen() {
    return shownChat(chatState(this.state))
  }
}
